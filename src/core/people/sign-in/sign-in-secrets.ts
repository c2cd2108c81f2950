import { hash, hkdfSync } from 'node:crypto';
import type { KeyRing } from '../../encryption/rules/envelope.ts';

/** The library numbers its secrets. Deriving the number from the key's id lets keys be reordered. */
export const signInKeyVersion = (keyId: string): number =>
  Number.parseInt(hash('sha256', keyId, 'hex').slice(0, 12), 16);

/** One secret per key of the ring: the first signs cookies and encrypts, all of them decrypt. */
export const signInSecrets = (keyRing: KeyRing): { version: number; value: string }[] =>
  keyRing.map(({ id, key }) => ({
    version: signInKeyVersion(id),
    value: Buffer.from(hkdfSync('sha256', key, '', 'pix sign-in', 32)).toString('base64'),
  }));
