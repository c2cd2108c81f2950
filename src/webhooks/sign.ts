import { createHmac, randomBytes } from 'node:crypto';

export const webhookSecretPrefix = 'whsec_';

export const newWebhookSecret = (): string => webhookSecretPrefix + randomBytes(32).toString('base64');

export interface Signable {
  /** The same on every try; without a dot, as dots separate what is signed. */
  id: string;
  timestamp: Date;
  /** To be sent as it is: another byte, and no signature fits. */
  body: string | Buffer;
  /** One signature for each, in this order: a receiver takes any that it can verify. */
  secrets: readonly string[];
}

/** The three headers of the Standard Webhooks specification, names in lower case. */
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
