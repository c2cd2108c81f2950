import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { idFromBytes, idToBytes } from '../../base/ids.ts';
import type { KeyRing } from '../../encryption/rules/envelope.ts';
import type { Mode } from '../../base/mode.ts';

/** The bearer may read this payment until it expires. */
export interface PaymentTokenClaims {
  organizationId: string;
  mode: Mode;
  paymentId: string;
  /** Whole seconds. */
  expiresAt: Date;
}

const prefix = 'pt_';
const version = 1;
const claimsBytes = 38;
const signatureBytes = 32;
const shape = /^pt_[\w-]{94}$/;
const dayMs = 86_400_000;

function encode({ organizationId, mode, paymentId, expiresAt }: PaymentTokenClaims): Buffer {
  const seconds = Buffer.alloc(4);
  seconds.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000));
  const head = Buffer.from([version, mode === 'live' ? 1 : 0]);
  return Buffer.concat([head, idToBytes(organizationId), idToBytes(paymentId), seconds]);
}

function decode(claims: Buffer): PaymentTokenClaims {
  return {
    mode: claims[1] === 1 ? 'live' : 'test',
    organizationId: idFromBytes(claims.subarray(2, 18)),
    paymentId: idFromBytes(claims.subarray(18, 34)),
    expiresAt: new Date(claims.readUInt32BE(34) * 1000),
  };
}

/**
 * Tokens are signed with a key derived per day of expiry: no key signs for long, and every node derives the
 * same.
 */
function sign(ringKey: Buffer, claims: Buffer): Buffer {
  const day = Math.floor((claims.readUInt32BE(34) * 1000) / dayMs);
  const key = hkdfSync('sha256', ringKey, '', `payment token ${day}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(claims).digest();
}

/** Signed with the first key of the ring. Equal claims give equal tokens. */
export function signPaymentToken([signing]: KeyRing, claims: PaymentTokenClaims): string {
  if (!signing) throw new Error('the key ring is empty');
  const encoded = encode(claims);
  return prefix + Buffer.concat([encoded, sign(signing.key, encoded)]).toString('base64url');
}

/** Undefined when no key of the ring signed the token, or when it has expired. */
export function verifyPaymentToken(ring: KeyRing, token: string, now: Date): PaymentTokenClaims | undefined {
  if (!shape.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (bytes.length !== claimsBytes + signatureBytes || bytes[0] !== version) return undefined;
  const encoded = bytes.subarray(0, claimsBytes);
  const signature = bytes.subarray(claimsBytes);
  if (!ring.some(({ key }) => timingSafeEqual(sign(key, encoded), signature))) return undefined;
  const claims = decode(encoded);
  return claims.expiresAt > now ? claims : undefined;
}
