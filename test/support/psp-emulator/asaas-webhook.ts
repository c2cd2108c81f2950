import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { listOf, refused, violation } from './asaas-wire.ts';
import type { Exchange, Reply, Route } from './psp.ts';

/** Names and rules of the public OpenAPI document, WebhookConfigSaveRequestDTO. */
const webhookBody = z.object({
  name: z.string(),
  url: z.url(),
  email: z.email().optional(),
  enabled: z.boolean(),
  interrupted: z.boolean(),
  apiVersion: z.int(),
  authToken: z.string().min(32).max(255),
  sendType: z.enum(['SEQUENTIALLY', 'NON_SEQUENTIALLY']),
  events: z.array(z.string().regex(/^(PAYMENT|PIX_AUTOMATIC_RECURRING)_/)).min(1),
});

export interface AsaasWebhook extends z.output<typeof webhookBody> {
  id: string;
}

/** Asaas does not try the URL when it is registered. */
export function asaasWebhookRoutes(webhooks: AsaasWebhook[]): Route[] {
  const printed = ({ authToken, ...webhook }: AsaasWebhook) => ({
    ...webhook,
    hasAuthToken: authToken !== '',
  });

  const saved = ({ json, parameters: [id] }: Exchange): Reply => {
    const parsed = webhookBody.safeParse(json);
    if (!parsed.success) return violation(parsed.error);
    const existing = webhooks.find((each) => each.id === id);
    if (id !== undefined && !existing) return { status: 404, body: { errors: [] } };
    if (!existing && webhooks.length === 10) return refused('invalid_action', 'Limite de webhooks atingido.');
    const webhook = Object.assign(existing ?? { id: randomUUID() }, parsed.data);
    if (!existing) webhooks.push(webhook);
    return { status: 200, body: printed(webhook) };
  };

  return [
    {
      operation: 'find',
      method: 'GET',
      path: /\/v3\/webhooks/,
      reply: ({ query }) =>
        listOf(
          webhooks.map((each) => printed(each)),
          query,
        ),
    },
    { operation: 'webhook', method: 'POST', path: /\/v3\/webhooks/, reply: saved },
    { operation: 'webhook', method: 'PUT', path: /\/v3\/webhooks\/([\w-]+)/, reply: saved },
  ];
}
