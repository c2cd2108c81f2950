import { WebhookVerificationError } from './errors.ts';
import type { BookEvent, Event, RecurrenceEvent } from './types.ts';

type HeaderValue = string | readonly string[] | undefined;

export interface WebhookRequest {
  /** The bytes as they came: JSON that was parsed and printed again has another signature. */
  body: string | Uint8Array | ArrayBuffer;
  /** Comes from fetch, from Node or from a framework: an object, a Map or pairs, with names in any case. */
  headers: Headers | Iterable<readonly [string, HeaderValue]> | Readonly<Record<string, HeaderValue>>;
  /** `whsec_…`; during a rotation both. */
  secret: string | readonly string[];
  /** How old it may be; 300 by default. */
  toleranceSeconds?: number;
}

const encoder = new TextEncoder();

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOf(base64);
  } catch {
    return undefined;
  }
}

function contentOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError(
    "body must be the raw bytes of the request, which were signed: not parsed JSON. In Express, express.raw({ type: '*/*' }) on this route gives them; elsewhere read the text of the request before anything parses it.",
  );
}

/** Reads names in lower case. A header that came several times is a list. */
function namesAndValues(headers: WebhookRequest['headers']): Map<string, string> {
  const isIterable = Symbol.iterator in headers;
  const pairs = isIterable ? (headers as Iterable<[string, HeaderValue]>) : Object.entries(headers);
  const values = new Map<string, string>();
  for (const [name, value] of pairs)
    values.set(name.toLowerCase(), typeof value === 'string' ? value : (value ?? []).join(' '));
  return values;
}

async function isSigned(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
): Promise<boolean> {
  const bytes = decoded(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('secret is not the one that the service shows: whsec_…');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  for (const signature of signatures) {
    const [version, base64 = ''] = signature.split(',', 2);
    const given = version === 'v1' ? decoded(base64) : undefined;
    // Compares in constant time.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

/**
 * Returns the event of a webhook that the service signed (Standard Webhooks). Throws WebhookVerificationError otherwise. An
 * event may come twice: deduplicate by its `id`. At an endpoint that lists events of recurrences, or of money without a payment,
 * ask for `Event | RecurrenceEvent | BookEvent`, which `type` tells apart.
 */
export async function verifyWebhook<Received extends Event | RecurrenceEvent | BookEvent = Event>({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
}: WebhookRequest): Promise<Received> {
  const content = contentOf(body);
  const values = namesAndValues(headers);
  const header = (name: string): string => {
    const value = values.get(name);
    if (!value) throw new WebhookVerificationError(`${name} is missing`);
    return value;
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError('webhook-timestamp is not of now');
  const prefix = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);
  for (const each of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(each, signed, signatures))
      return JSON.parse(new TextDecoder().decode(content)) as Received;
  throw new WebhookVerificationError('webhook-signature is not of this body and secret');
}
