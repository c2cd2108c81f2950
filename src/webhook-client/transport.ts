import type { SignedMessage, WebhookTransport } from '../core/webhooks/rules/webhook.ts';
import { createWebhookClient } from './client.ts';
import { newWebhookSecret, signatureHeaders } from './sign.ts';
import { assertWebhookUrl } from './url.ts';

/** Signs according to Standard Webhooks. Sends only to the public internet and `allowedHosts`. */
export function createWebhookTransport({
  allowedHosts,
  now,
}: {
  allowedHosts: readonly string[];
  now: () => Date;
}): WebhookTransport & { close(): Promise<void> } {
  const client = createWebhookClient({ allowedHosts });
  const headersOf = ({ message: { id, body }, secrets, traceparent }: SignedMessage) => ({
    'content-type': 'application/json',
    'user-agent': 'pix-payment-service',
    ...(traceparent !== undefined && { traceparent }),
    ...signatureHeaders({ id, timestamp: now(), body, secrets }),
  });
  return {
    newSecret: newWebhookSecret,

    parseUrl: (url, mode) => assertWebhookUrl(url, { mode, allowedHosts }).href,

    headersOf,

    send: ({ url, signal, ...signed }) =>
      client.send({ url, headers: headersOf(signed), body: signed.message.body, signal }),

    close: () => client.close(),
  };
}
