import { type KeyRing, open } from '../encryption/rules/envelope.ts';
import type { WebhookEndpointRow } from './store/webhook-endpoints.ts';

/** The secrets now in use, newest first. */
export function openSecrets(
  keyRing: KeyRing,
  endpoint: Pick<WebhookEndpointRow, 'id' | 'sealedSecret' | 'previousSealedSecret' | 'previousSecretUntil'>,
  now: Date,
): string[] {
  const { id, sealedSecret, previousSealedSecret: previous, previousSecretUntil: until } = endpoint;
  const sealed = previous && until && until > now ? [sealedSecret, previous] : [sealedSecret];
  return sealed.map((each) => open(keyRing, each, id));
}
