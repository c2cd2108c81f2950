import type { AuditServices } from '../audit/wire.ts';
import type { Gate } from '../people/approvals/wire.ts';
import type { Base } from '../wiring/base.ts';
import type { WebhookTransport } from './rules/webhook.ts';
import { createWebhookDeliveryService } from './webhook-deliveries.ts';
import { createWebhookEndpointService } from './webhook-endpoints.ts';
import { createWebhookHealth } from './webhook-health.ts';
import { createWebhookRequests } from './webhook-request.ts';
import { createWebhookSender } from './webhook-sender.ts';
import { createWebhookSummaries } from './webhook-summaries.ts';

export function wireWebhooks(base: Base & AuditServices & Gate, transport: WebhookTransport) {
  const sending = { ...base, transport };
  return {
    webhookEndpoints: createWebhookEndpointService(sending),
    webhookDeliveries: createWebhookDeliveryService(base),
    webhookHealth: createWebhookHealth(base),
    webhookSummaries: createWebhookSummaries(base),
    webhookRequests: createWebhookRequests(sending),
    webhookSender: createWebhookSender(sending),
  };
}
