import type { WebhookTransport } from '../domain/webhook.ts';
import { createWebhookSender } from './send.ts';
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
  const sender = createWebhookSender({ allowedHosts });
  return {
    newSecret: newWebhookSecret,

    parseUrl: (url, mode) => assertWebhookUrl(url, { mode, allowedHosts }).href,

    send({ url, message: { id, body }, secrets, traceparent, signal }) {
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'pix-payment-service',
        ...(traceparent !== undefined && { traceparent }),
        ...signatureHeaders({ id, timestamp: now(), body, secrets }),
      };
      return sender.send({ url, headers, body, signal });
    },

    close: () => sender.close(),
  };
}
