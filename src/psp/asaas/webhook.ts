import { z } from 'zod';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { responseReader } from '../kit/response.ts';
import { throwWebhookRefusal, isOurUrl, type WebhookMethods } from '../kit/webhook.ts';
import { openAsaas } from './client.ts';
import { refusalOf } from './refusal.ts';
import type { AsaasSettings } from './account/settings.ts';
import { listOf } from './wire-format.ts';

/**
 * Everything that changes what was received (docs.asaas.com, "Eventos para cobranças"), and the one event of Pix Automático that
 * every account may have.
 */
const events = [
  'PAYMENT_RECEIVED',
  'PAYMENT_CONFIRMED',
  'PAYMENT_REFUNDED',
  'PAYMENT_PARTIALLY_REFUNDED',
  'PAYMENT_REFUND_IN_PROGRESS',
  'PAYMENT_CHARGEBACK_REQUESTED',
  'PAYMENT_CHARGEBACK_DISPUTE',
  'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
  'PIX_AUTOMATIC_RECURRING_ELIGIBILITY_UPDATED',
] as const;

/** Asaas has these for accounts with Pix Automático only ("Eventos para Pix Automático"). */
const recurrenceEvents = [
  'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_ACTIVATED',
  'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_CANCELLED',
  'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_EXPIRED',
  'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_REFUSED',
  'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_SCHEDULED',
  'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_REFUSED',
  'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_CANCELLED',
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
      };
      const register = async (registered: readonly string[]) => {
        const all = { ...body, events: registered };
        const response = existing
          ? call('PUT', `/webhooks/${encodeURIComponent(existing.id)}`, signal, all)
          : call('POST', '/webhooks', signal, all);
        read(webhook, await response);
      };
      await register([...events, ...recurrenceEvents])
        .catch((error: unknown) => {
          if (error instanceof PspError && error.reason === 'request_refused') return register(events);
          throw error;
        })
        .catch(throwWebhookRefusal);
    },
  };
}
