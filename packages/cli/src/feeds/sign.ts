import { createHash, createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/** The same for every run with a key, so that the receiver has to be given it only once. */
export const secretFor = (key: string): string =>
  secretPrefix + createHash('sha256').update(`pix listen ${key}`).digest('base64');

/** The headers with which the service signs webhooks (Standard Webhooks). */
export function signed(id: string, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` };
}
