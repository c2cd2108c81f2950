import { z } from 'zod';
import type { OpenHttpClient } from '../http/http-client.ts';
import { allPages, responseReader } from '../kit/response.ts';
import { throwWebhookRefusal, isOurUrl, type WebhookMethods } from '../kit/webhook.ts';
import { openWoovi } from './client.ts';
import { refusalOf } from './refusal.ts';
import type { WooviSettings } from './settings.ts';

/** A webhook has one event (woovibr/woovi-developers, docs/webhook/webhook-events-type.md). */
const events = [
  'OPENPIX:CHARGE_COMPLETED',
  'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER',
  'OPENPIX:TRANSACTION_RECEIVED',
  'PIX_TRANSACTION_REFUND_SENT_CONFIRMED',
  'PIX_TRANSACTION_REFUND_SENT_REJECTED',
  'OPENPIX:DISPUTE_CREATED',
  'OPENPIX:DISPUTE_ACCEPTED',
  'OPENPIX:DISPUTE_REJECTED',
  'OPENPIX:DISPUTE_CANCELED',
  'PIX_AUTOMATIC_APPROVED',
  'PIX_AUTOMATIC_REJECTED',
  'PIX_AUTOMATIC_COBR_APPROVED',
  'PIX_AUTOMATIC_COBR_COMPLETED',
  'PIX_AUTOMATIC_COBR_REJECTED',
  'PIX_AUTOMATIC_COBR_TRY_REJECTED',
] as const;

const pageSize = 100;

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  event: z.string().nullish(),
  isActive: z.boolean().nullish(),
});

type Webhook = z.output<typeof webhook>;

const webhooks = z.object({ webhooks: z.array(webhook) });

const read = responseReader(refusalOf);

const isWorking = ({ url, isActive }: Webhook, notificationUrl: string): boolean =>
  url === notificationUrl && isActive !== false;

export function createWooviWebhook(settings: WooviSettings, openHttp: OpenHttpClient): WebhookMethods {
  const call = openWoovi(settings, openHttp);

  async function findOwn(notificationUrl: string, signal: AbortSignal): Promise<Webhook[]> {
    const all = await allPages(async (skip) => {
      const response = await call('GET', `/webhook?skip=${skip}&limit=${pageSize}`, signal);
      const { webhooks: items } = read(webhooks, response);
      return { items, hasMore: items.length === pageSize };
    });
    return all.filter(({ url }) => isOurUrl(url, notificationUrl));
  }

  return {
    async findWebhook(notificationUrl, signal) {
      const found = await findOwn(notificationUrl, signal);
      const [first] = found.toSorted(
        (a, b) => Number(a.url !== notificationUrl) - Number(b.url !== notificationUrl),
      );
      if (!first) return undefined;
      const current = found.filter(({ url }) => url === first.url);
      if (current.some(({ isActive }) => isActive === false)) return { url: first.url, state: 'paused' };
      const isComplete = events.every((wanted) => current.some(({ event }) => event === wanted));
      return { url: first.url, state: isComplete ? 'active' : 'incomplete' };
    },

    // Woovi cannot change a webhook, only create and delete it.
    async registerWebhook(url, signal) {
      const existing = await findOwn(url, signal);
      for (const event of events) {
        if (existing.some((each) => each.event === event && isWorking(each, url))) continue;
        const body = { webhook: { name: `Pix ${event}`, event, url, isActive: true } };
        const response = await call('POST', '/webhook', signal, body);
        try {
          read(z.unknown(), response);
        } catch (error) {
          throwWebhookRefusal(error);
        }
      }
      for (const { id } of existing.filter((each) => !isWorking(each, url))) {
        read(z.unknown(), await call('DELETE', `/webhook/${encodeURIComponent(id)}`, signal));
      }
    },
  };
}
