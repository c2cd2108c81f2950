import { ServiceError } from '../../base/errors.ts';
import { idFromBytes, idToBytes, isUuid } from '../../base/ids.ts';
import { centsFromReais } from '../../base/money.ts';
import { type CalendarDay, daysBetween } from '../../base/time/calendar-day.ts';
import { paymentSorts, sortOrders } from '../rules/payment.ts';
import type { ListOrder, Place } from '../store/payment-lists.ts';
import type { PaymentView } from './payment-view.ts';

const firstDay = '1970-01-01' as CalendarDay;

/** Opaque to callers; encodes the id of the last item of a page. */
export const encodeCursor = (id: string): string => idToBytes(id).toString('base64url');

const foreignCursor = (name: string) =>
  new ServiceError('invalid_cursor', `${name} must come from an earlier page`);

export function decodeCursor(cursor: string, name: string): string {
  const id = idFromBytes(Buffer.from(cursor, 'base64url'));
  if (!isUuid(id) || encodeCursor(id) !== cursor) throw foreignCursor(name);
  return id;
}

/** Zero means newest first and is not written, which keeps the cursors of that order as they always were. */
const kindOf = ({ sort, order }: ListOrder): number =>
  paymentSorts.indexOf(sort) * sortOrders.length + sortOrders.indexOf(order);

/** In other orders, a byte for the order and the value of the place come before the id. */
export function encodePlace({ id, value }: Place, order: ListOrder): string {
  const kind = kindOf(order);
  if (kind === 0) return encodeCursor(id);
  const head = Buffer.alloc(value === undefined ? 1 : 9);
  head.writeUInt8(kind);
  if (value !== undefined) head.writeBigInt64BE(value, 1);
  return Buffer.concat([head, idToBytes(id)]).toString('base64url');
}

export function decodePlace(cursor: string, order: ListOrder, name: string): Place {
  if (kindOf(order) === 0) return { id: decodeCursor(cursor, name) };
  const bytes = Buffer.from(cursor, 'base64url');
  const hasValue = order.sort !== 'created';
  if (bytes.length !== (hasValue ? 25 : 17)) throw foreignCursor(name);
  const place = { id: idFromBytes(bytes.subarray(-16)), ...(hasValue && { value: bytes.readBigInt64BE(1) }) };
  if (!isUuid(place.id) || encodePlace(place, order) !== cursor) throw foreignCursor(name);
  return place;
}

export function placeOf({ id, amount, confirmedAt, due, dueDate }: PaymentView, { sort }: ListOrder): Place {
  if (sort === 'amount') return { id, value: centsFromReais(amount) };
  const day = due?.date ?? (dueDate as CalendarDay | undefined);
  if (sort === 'due') return { id, value: day && BigInt(daysBetween(firstDay, day)) };
  return sort === 'paid' ? { id, value: BigInt(Date.parse(confirmedAt ?? '')) } : { id };
}
