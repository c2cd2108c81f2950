import { operatorFor } from '../../../src/core/base/caller.ts';
import { deliverWebhooks } from '../deliver-webhooks.ts';
import type { TestApp } from '../app.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { longPath, unbroken } from './hostile-texts.ts';

/** One that accepts, one that fails and one that is gone, in test mode. */
export async function addEndpoints(app: TestApp, organizationId: string) {
  const operator = operatorFor(organizationId, 'test');
  const [well, failing, gone] = await Promise.all([
    startWebhookReceiver(),
    startWebhookReceiver(),
    startWebhookReceiver(),
  ]);
  failing.reply = {
    status: 500,
    headers: { 'x-request-id': 'r'.repeat(247) },
    body: `<html>${unbroken(4_000)}</html>`,
  };
  gone.reply = { status: 410 };
  const add = async (receiver: { url: string }, path = '') =>
    (await app.services.webhookEndpoints.create(operator, { url: `${receiver.url}${path}` })).id;
  return {
    well: await add(well),
    failing: await add(failing, longPath),
    gone: await add(gone),
    deliver: async () => void (await deliverWebhooks(app.services.webhookSender)),
    stop: async () => void (await Promise.all([well.stop(), failing.stop(), gone.stop()])),
  };
}
