import { z } from 'zod';
import type { OpenHttpClient } from '../http/http-client.ts';
import { responseReader } from '../kit/response.ts';
import { throwWebhookRefusal, isOurUrl, type WebhookMethods } from '../kit/webhook.ts';
import { openAsaas } from './client.ts';
import { refusalOf } from './refusal.ts';
import type { AsaasSettings } from './settings.ts';
import { listOf } from './wire-format.ts';

/** Everything that changes what was received (docs.asaas.com, "Eventos para cobranças"). */
const events = [
  'PAYMENT_RECEIVED',
  'PAYMENT_CONFIRMED',
  'PAYMENT_REFUNDED',
  'PAYMENT_PARTIALLY_REFUNDED',
  'PAYMENT_REFUND_IN_PROGRESS',
  'PAYMENT_CHARGEBACK_REQUESTED',
  'PAYMENT_CHARGEBACK_DISPUTE',
  'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
] as const;

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  enabled: z.boolean().nullish(),
  /** Asaas sends no more after 15 failed deliveries. */
  interrupted: z.boolean().nullish(),
  hasAuthToken: z.boolean().nullish(),
  events: z.array(z.string()).nullish(),
});

type Webhook = z.output<typeof webhook>;

const read = responseReader(refusalOf);

function stateOf({ enabled, interrupted, hasAuthToken, events: registered }: Webhook) {
  const isComplete = hasAuthToken !== false && events.every((event) => registered?.includes(event) !== false);
  if (!isComplete) return 'incomplete';
  return enabled === false || interrupted === true ? 'paused' : 'active';
}

/** An account has at most ten webhooks, so they are a single page. */
export function createAsaasWebhook(settings: AsaasSettings, openHttp: OpenHttpClient): WebhookMethods {
  const call = openAsaas(settings, openHttp);

  async function find(notificationUrl: string, signal: AbortSignal): Promise<Webhook | undefined> {
    const { data } = read(listOf(webhook), await call('GET', '/webhooks?limit=100', signal));
    return (
      data.find(({ url }) => url === notificationUrl) ??
      data.find(({ url }) => isOurUrl(url, notificationUrl))
    );
  }

  return {
    async findWebhook(notificationUrl, signal) {
      const found = await find(notificationUrl, signal);
      return found && { url: found.url, state: stateOf(found) };
    },

    async registerWebhook(url, signal) {
      const existing = await find(url, signal);
      const body = {
        name: 'Pix',
        url,
        email: settings.webhookEmail,
        enabled: true,
        // Also resumes a queue that Asaas has paused.
        interrupted: false,
        apiVersion: 3,
        authToken: settings.webhookToken,
        // One event that cannot be delivered does not hold up the others.
        sendType: 'NON_SEQUENTIALLY',
        events,
      };
      const response = existing
        ? call('PUT', `/webhooks/${encodeURIComponent(existing.id)}`, signal, body)
        : call('POST', '/webhooks', signal, body);
      await response.then((received) => read(webhook, received)).catch(throwWebhookRefusal);
    },
  };
}
