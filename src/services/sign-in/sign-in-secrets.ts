import { hash, hkdfSync } from 'node:crypto';
import type { KeyRing } from '../../domain/security/envelope.ts';

/** The library numbers its secrets, so a key has a number of its own, wherever it stands. */
export const signInKeyVersion = (keyId: string): number =>
  Number.parseInt(hash('sha256', keyId, 'hex').slice(0, 12), 16);

/** One secret for each key of the ring: the first one signs cookies and encrypts, all of them decrypt. */
export const signInSecrets = (keyRing: KeyRing): { version: number; value: string }[] =>
  keyRing.map(({ id, key }) => ({
    version: signInKeyVersion(id),
    value: Buffer.from(hkdfSync('sha256', key, '', 'pix sign-in', 32)).toString('base64'),
  }));
