import { createHash } from 'node:crypto';
import { type BrCode, BrCodeError, parseBrCode } from '@pix-service/br-code';

/** A shorter last segment, such as `v2/1`, does not identify one location. */
const minimumTail = 8;

function locationOf(objects: BrCode): string | undefined {
  for (const [path, value] of objects) {
    if (path.endsWith('-25') && path >= '26' && path < '52') return value;
  }
  return undefined;
}

/** The part of a code's URL that identifies the charge: its last segment, or all of it. */
export function locationKey(location: string): string {
  const [address = ''] = location.replace(/^https?:\/\//i, '').split(/[?#]/, 1);
  // Without the look-behind every slash starts a new match: 100 kB of them took nine seconds.
  const bare = address.replace(/(?<!\/)\/+$/, '');
  const tail = bare.slice(bare.lastIndexOf('/') + 1);
  return (tail.length >= minimumTail ? tail : bare).toLowerCase();
}

function read(code: string): BrCode | undefined {
  try {
    return parseBrCode(code);
  } catch (error) {
    if (error instanceof BrCodeError) return undefined;
    throw error;
  }
}

/** Mail and chat programs break lines; no code contains a line break. */
const unbroken = (code: string): string => code.replace(/[\r\n\t]/g, '').trim();

/** A copy-and-paste code is found by the key of its location, by the transaction id of a static code, or else by a digest. */
export function codeKey(text: string): string {
  const code = unbroken(text);
  const objects = read(code);
  const location = objects && locationOf(objects);
  if (location) return locationKey(location);
  const transactionId = objects?.get('62-05') ?? '***';
  if (transactionId !== '***' && transactionId.length >= minimumTail) return transactionId.toLowerCase();
  return `#${createHash('sha256').update(code).digest('base64url').slice(0, 16)}`;
}
