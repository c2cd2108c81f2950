import { createHmac, randomBytes } from 'node:crypto';

const webhookSecretPrefix = 'whsec_';

export const newWebhookSecret = (): string => webhookSecretPrefix + randomBytes(32).toString('base64');

export interface Signable {
  /** The same on every retry. Contains no dot, which separates the signed parts. */
  id: string;
  timestamp: Date;
  /** Sent exactly as signed. */
  body: string | Buffer;
  /** One signature per secret, in this order; a receiver accepts any that it can verify. */
  secrets: readonly string[];
}

/** The three headers of Standard Webhooks, with lower-case names. */
export function signatureHeaders({ id, timestamp, body, secrets }: Signable): Record<string, string> {
  const seconds = String(Math.floor(timestamp.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.`).update(body);
    return `v1,${digest.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}

function keyOf(secret: string): Buffer {
  if (!secret.startsWith(webhookSecretPrefix)) {
    throw new Error(`a webhook secret must begin with ${webhookSecretPrefix}`);
  }
  return Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64');
}
