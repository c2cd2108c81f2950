import type { WebhookSender } from '../../src/core/webhooks/webhook-sender.ts';

/** Sends what is due now; resolves when all of it has been sent, to how many deliveries that were. */
export async function deliverWebhooks(sender: WebhookSender): Promise<number> {
  const claimed = await sender.claim(256, new Map());
  const { signal } = new AbortController();
  await Promise.all(claimed.map((delivery) => sender.deliver(delivery, signal)));
  return claimed.length;
}
