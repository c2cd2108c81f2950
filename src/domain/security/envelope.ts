import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key ring: the first key seals, all of them open. */
export type KeyRing = readonly { id: string; key: Buffer }[];

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** `id:base64` pairs with commas, as ENCRYPTION_KEYS writes them. */
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
  if (found !== version) throw new Error('the sealed text is of an unknown version');
  return { keyId, wrapped: Buffer.from(wrapped, 'base64'), content: Buffer.from(content, 'base64') };
}

const join = (keyId: string, wrapped: Buffer, content: Buffer): string =>
  [version, keyId, wrapped.toString('base64'), content.toString('base64')].join('.');

/** What a text begins with that was sealed with the key of this id. */
export const beginningOf = (keyId: string): string => `${version}.${keyId}.`;

/** The id of the key that a text was sealed with; nothing proves it. */
export const keyIdOf = (sealed: string): string => parts(sealed).keyId;

export function sealingKey(ring: KeyRing): KeyRing[number] {
  const [first] = ring;
  if (!first) throw new Error('the key ring is empty');
  return first;
}

function unwrap(ring: KeyRing, keyId: string, wrapped: Buffer, context: string): Buffer {
  const known = ring.find(({ id }) => id === keyId);
  if (!known) throw new Error(`ENCRYPTION_KEYS lacks the key ${keyId} with which this was sealed`);
  return decrypt(known.key, wrapped, context);
}

/** AES-256-GCM under a key of its own, which the ring wraps. `context` must be the same to open it. */
export function seal(ring: KeyRing, plain: string, context: string): string {
  const { id, key } = sealingKey(ring);
  const contentKey = randomBytes(32);
  return join(id, encrypt(key, contentKey, context), encrypt(contentKey, Buffer.from(plain), context));
}

export function open(ring: KeyRing, sealed: string, context: string): string {
  const { keyId, wrapped, content } = parts(sealed);
  return decrypt(unwrap(ring, keyId, wrapped, context), content, context).toString();
}

/** Moves a sealed text to the first key of the ring; undefined when it is there already. */
export function rewrap(ring: KeyRing, sealed: string, context: string): string | undefined {
  const { keyId, wrapped, content } = parts(sealed);
  const { id, key } = sealingKey(ring);
  if (keyId === id) return undefined;
  return join(id, encrypt(key, unwrap(ring, keyId, wrapped, context), context), content);
}
