import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { probe } from './probe.ts';
import type { Exchange, Notification, Reply, Route } from './psp.ts';
import { refused } from './woovi-wire.ts';

const webhookBody = z.object({
  webhook: z.object({ name: z.string(), event: z.string(), url: z.url(), isActive: z.boolean() }),
});

export interface WooviWebhook {
  id: string;
  event: string;
  url: string;
  isActive: boolean;
}

/** A webhook for each event; its URL is tried when it is registered (field notes, "registration ping"). */
export function wooviWebhookRoutes(
  webhooks: WooviWebhook[],
  {
    sign,
    isTestWebhook,
  }: { sign: (notification: Notification) => Notification; isTestWebhook: () => boolean },
): Route[] {
  async function create({ json }: Exchange): Promise<Reply> {
    const parsed = webhookBody.safeParse(json);
    if (!parsed.success) return refused('webhook inválido');
    const { event, url, isActive } = parsed.data.webhook;
    const data_criacao = new Date().toISOString();
    const ping = isTestWebhook() ? { data_criacao, evento: 'teste_webhook' } : { data_criacao, event };
    const { headers, body } = sign({
      path: '',
      query: {},
      headers: {},
      body: JSON.stringify(ping),
      hasCertificate: false,
    });
    if ((await probe({ url, headers, body })) !== 200) return refused('URL inválida');
    const webhook = { id: randomUUID(), event, url, isActive };
    webhooks.push(webhook);
    return { status: 200, body: { webhook, hmacSecretKey: 'openpix_emulated' } };
  }

  return [
    { operation: 'webhook', method: 'POST', path: /\/api\/v1\/webhook/, reply: create },
    {
      operation: 'find',
      method: 'GET',
      path: /\/api\/v1\/webhook/,
      reply: ({ query }) => {
        const [skip, limit] = [Number(query.get('skip') ?? 0), Number(query.get('limit') ?? 20)];
        const shown = webhooks.slice(skip, skip + limit);
        return { status: 200, body: { webhooks: shown, pageInfo: { skip, limit } } };
      },
    },
    {
      operation: 'webhook',
      method: 'DELETE',
      path: /\/api\/v1\/webhook\/([\w-]+)/,
      reply: ({ parameters: [id] }) => {
        const place = webhooks.findIndex((each) => each.id === id);
        if (place < 0) return refused('Webhook não encontrado');
        webhooks.splice(place, 1);
        return { status: 200, body: { status: 'OK' } };
      },
    },
  ];
}
