import { createHash } from 'node:crypto';
import { type BrCode, BrCodeError, parseBrCode } from '@pix-service/br-code';

/** Shorter ones, such as `v2/1`, are not the location's alone. */
const minimumTail = 8;

function locationOf(objects: BrCode): string | undefined {
  for (const [path, value] of objects) {
    if (path.endsWith('-25') && path >= '26' && path < '52') return value;
  }
  return undefined;
}

/** What identifies a charge in the URL that banks fetch it from: its last segment, or all of it. */
export function locationKey(location: string): string {
  const [address = ''] = location.replace(/^https?:\/\//i, '').split(/[?#]/, 1);
  // Without the look-behind each slash would be a new beginning: 100 kB of them took nine seconds.
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

/** Line breaks come from mail and chat programs, and no code has one. */
const unbroken = (code: string): string => code.replace(/[\r\n\t]/g, '').trim();

/**
 * What finds a copy-and-paste code: the key of its location, the transaction id of a static code, or a digest of what is
 * neither.
 */
export function codeKey(text: string): string {
  const code = unbroken(text);
  const objects = read(code);
  const location = objects && locationOf(objects);
  if (location) return locationKey(location);
  const transactionId = objects?.get('62-05') ?? '***';
  if (transactionId !== '***' && transactionId.length >= minimumTail) return transactionId.toLowerCase();
  return `#${createHash('sha256').update(code).digest('base64url').slice(0, 16)}`;
}
