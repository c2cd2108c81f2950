import { createHmac, timingSafeEqual } from 'node:crypto';
import { idFromBytes, idToBytes } from '../../base/ids.ts';

/** What a token opens. A token of one kind does not open the other. */
export type CheckoutTokenKind = 'payment' | 'link' | 'recurrence';

const idBytes = 16;
const signatureBytes = 16;
/** Base64url of both. The last character has two bits to spare, which must be zero. */
const shape = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

const sign = (key: Buffer, kind: CheckoutTokenKind, id: Buffer): Buffer =>
  createHmac('sha256', key).update(`checkout ${kind}\n`).update(id).digest().subarray(0, signatureBytes);

/** 43 characters for a URL: the id, a UUID, and 128 bits that only a holder of the key can compute. */
export function signCheckoutToken(key: Buffer, kind: CheckoutTokenKind, id: string): string {
  const bytes = idToBytes(id);
  return Buffer.concat([bytes, sign(key, kind, bytes)]).toString('base64url');
}

/** The id that a token was signed for; undefined for any other text. */
export function verifyCheckoutToken(key: Buffer, kind: CheckoutTokenKind, token: string): string | undefined {
  if (!shape.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const id = bytes.subarray(0, idBytes);
  if (!timingSafeEqual(sign(key, kind, id), bytes.subarray(idBytes))) return undefined;
  return idFromBytes(id);
}
