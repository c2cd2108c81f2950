import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The first key seals; all of them open. */
export type KeyRing = readonly { id: string; key: Buffer }[];

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** Parses the `id:base64` pairs, separated by commas, of ENCRYPTION_KEYS. */
export const parseKeyRing = (text: string): KeyRing =>
  text.split(',').map((pair) => {
    const [id = '', key = ''] = pair.trim().split(':');
    return { id, key: Buffer.from(key, 'base64') };
  });

function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

function parts(sealed: string): { keyId: string; wrapped: Buffer; content: Buffer } {
  const [found, keyId = '', wrapped = '', content = ''] = sealed.split('.');
  if (found !== version) throw new Error('the sealed text has an unknown version');
  return { keyId, wrapped: Buffer.from(wrapped, 'base64'), content: Buffer.from(content, 'base64') };
}

const join = (keyId: string, wrapped: Buffer, content: Buffer): string =>
  [version, keyId, wrapped.toString('base64'), content.toString('base64')].join('.');

/** Prefix of every text sealed with this key. */
export const sealedPrefix = (keyId: string): string => `${version}.${keyId}.`;

/** The id of the key that sealed the text. Not authenticated. */
export const keyIdOf = (sealed: string): string => parts(sealed).keyId;

export function sealingKey(ring: KeyRing): KeyRing[number] {
  const [first] = ring;
  if (!first) throw new Error('the key ring is empty');
  return first;
}

function unwrap(ring: KeyRing, keyId: string, wrapped: Buffer, context: string): Buffer {
  const known = ring.find(({ id }) => id === keyId);
  if (!known) throw new Error(`ENCRYPTION_KEYS lacks the key ${keyId} that sealed this`);
  return decrypt(known.key, wrapped, context);
}

/** AES-256-GCM with a fresh content key, itself wrapped by the ring. Opening requires the same `context`. */
export function seal(ring: KeyRing, plain: string, context: string): string {
  const { id, key } = sealingKey(ring);
  const contentKey = randomBytes(32);
  return join(id, encrypt(key, contentKey, context), encrypt(contentKey, Buffer.from(plain), context));
}

export function open(ring: KeyRing, sealed: string, context: string): string {
  const { keyId, wrapped, content } = parts(sealed);
  return decrypt(unwrap(ring, keyId, wrapped, context), content, context).toString();
}

/** Rewraps a sealed text with the first key of the ring; undefined when it already is. */
export function rewrap(ring: KeyRing, sealed: string, context: string): string | undefined {
  const { keyId, wrapped, content } = parts(sealed);
  const { id, key } = sealingKey(ring);
  if (keyId === id) return undefined;
  return join(id, encrypt(key, unwrap(ring, keyId, wrapped, context), context), content);
}

/**
 * Stands for a text that must not be stored: HMAC-SHA256 with each key of the ring, the first of which is the one to store.
 * Without a key a text as short as a CPF could be guessed from its digest.
 */
export const digestsOf = (ring: KeyRing, text: string, context: string): string[] =>
  ring.map(({ key }) => createHmac('sha256', key).update(`${context}\n${text}`).digest('base64'));
