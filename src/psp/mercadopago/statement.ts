import { cents } from '../../core/base/money.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import type { StatementPage, StatementPix } from '../../core/providers/rules/psp-lists.ts';
import { afterPage, progressOf, splitUnreadable } from '../kit/response.ts';
import { returnedSums } from '../kit/returned.ts';
import type { MercadoPagoClient } from './client.ts';
import { endToEndIdOf, returnsOf } from './mapping.ts';
import type { MercadoPagoReceived } from './wire-format.ts';

/** A search refuses large offsets (reference of GET /v1/payments/search, error 1000), so a longer list is read in parts. */
export const maximumListLength = 1_000;
const shortestPartMs = 1_000;

/** Adds up the fees that we pay, where the list has them. */
function feeOf({ fee_details }: MercadoPagoReceived): StatementPix['feeInCents'] {
  const own = fee_details?.filter(({ fee_payer }) => fee_payer === 'collector');
  return own ? cents(own.reduce((total, { amount }) => total + amount, 0n)) : null;
}

function statementPixOf(payment: MercadoPagoReceived): StatementPix {
  return {
    // The end-to-end id may be present in one list and absent in the next.
    reference: payment.id,
    endToEndId: endToEndIdOf(payment) ?? null,
    charge: { transactionId: payment.external_reference ?? null, reference: payment.id },
    amountInCents: payment.transaction_amount,
    ...returnedSums(returnsOf(payment)),
    feeInCents: feeOf(payment),
    receivedAt: payment.date_approved,
  };
}

const cursorOf = (beginMs: number, endMs: number, page = ''): string => `${beginMs} ${endMs} ${page}`;

/** Payments by the time of their approval (mercadopago.com.br/developers, "Search payments": `range=date_approved`). */
export const createMercadoPagoStatement =
  (client: Pick<MercadoPagoClient, 'searchReceived'>): NonNullable<PspAdapter['listStatement']> =>
  async ({ since, until }, cursor, signal): Promise<StatementPage> => {
    const [begin = since, end = until, page = ''] = cursor?.split(' ') ?? [];
    const [beginMs, endMs] = [Number(begin), Number(end)];
    const progress = progressOf(page || null);
    const part = { begin: new Date(beginMs), end: new Date(endMs) };
    const { results, paging } = await client.searchReceived(part, progress.at, signal);
    const lengthMs = endMs - beginMs;
    if (progress.at === 0 && paging.total > maximumListLength && lengthMs > shortestPartMs) {
      return { pix: [], nextCursor: cursorOf(beginMs, beginMs + Math.ceil(lengthMs / 2)), hasChanged: false };
    }
    const nextAt = progress.at + results.length;
    const { nextCursor, hasChanged } = afterPage(progress, {
      itemCount: results.length,
      total: paging.total,
      nextAt: nextAt < paging.total ? nextAt : null,
    });
    // What was approved at the very end is listed in the next part, or the next day.
    const { read, unreadable } = splitUnreadable(results);
    const listed = {
      pix: read.flatMap((each) => (each && each.date_approved < part.end ? statementPixOf(each) : [])),
      unreadable: unreadable.filter(({ receivedAt }) => receivedAt === null || receivedAt < part.end),
      hasChanged,
    };
    if (hasChanged || nextCursor !== null) {
      return { ...listed, nextCursor: nextCursor && cursorOf(beginMs, endMs, nextCursor) };
    }
    const untilMs = until.getTime();
    const isLast = endMs >= untilMs;
    return {
      ...listed,
      nextCursor: isLast ? null : cursorOf(endMs, Math.min(endMs + 2 * lengthMs, untilMs)),
    };
  };
