import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A byte holds their places. */
export const maximumAttempts = 240;

const randomBytesOfId = 16;
/** Holds the bytes of many ids, because fetching costs more than the bytes. */
const randomBytes = new Uint8Array(256 * randomBytesOfId);
let firstUnused = randomBytes.length;

function nextRandomBytes(): Uint8Array {
  if (firstUnused === randomBytes.length) {
    randomFillSync(randomBytes);
    firstUnused = 0;
  }
  return randomBytes.subarray(firstUnused, (firstUnused += randomBytesOfId));
}

/** A UUID v7, so that ids sort by creation time. */
export const newId = (at: Date): string => v7({ msecs: at.getTime(), random: nextRandomBytes() });

/** The same id with a place in its ninth byte, which is random in other ids. */
const withPlace = (id: string, place: number): string =>
  `${id.slice(0, 16)}${place.toString(16).padStart(2, '0')}${id.slice(18)}`;

/** Leaves room for the places of the attempts, so that the id of a charge at a PSP also names its payment. */
export const newPaymentId = (at: Date): string => withPlace(newId(at), 0);

/** The id of the attempt at this position in a payment's routing order. */
export const attemptIdAt = (paymentId: string, position: number): string =>
  withPlace(paymentId, position + 1);

/** Reads what `attemptIdAt` wrote; undefined for other ids. */
export function attemptPlaceOf(attemptId: string): { paymentId: string; position: number } | undefined {
  const place = Number.parseInt(attemptId.slice(16, 18), 16);
  const isOurs = /^.{14}7.{4}[89ab]/.test(attemptId) && place > 0 && place <= maximumAttempts;
  return isOurs ? { paymentId: withPlace(attemptId, 0), position: place - 1 } : undefined;
}

export const isUuid = (text: string): boolean => uuid.test(text);

/** A UUID as the database writes it, so that equal ids are equal texts; any other text stays as it is. */
export const canonicalId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

const separated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

export const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

export const idFromBytes = (bytes: Buffer): string => separated(bytes.toString('hex'));

/** The smallest id that `newId(at)` can return. */
export const firstIdAt = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** The smallest id that is greater than this one. */
export const idAfter = (id: string): string =>
  separated((BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0'));

/** When `newId` created the id. */
export const idTimestamp = (id: string): Date => new Date(parseInt(id.slice(0, 13).replace('-', ''), 16));

/** The txid of a charge. The Banco Central allows 26 to 35 characters of `[a-zA-Z0-9]`; ours has 32. */
export const transactionIdOf = (attemptId: string): string => attemptId.replaceAll('-', '');

/** Undefined when the text cannot be one of our transaction ids. */
export const attemptIdOf = (transactionId: string): string | undefined =>
  /^[0-9a-f]{32}$/i.test(transactionId) ? separated(transactionId).toLowerCase() : undefined;
