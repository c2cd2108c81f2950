import { cents } from '../../core/base/money.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import type { StatementPage, StatementPix } from '../../core/providers/rules/psp-lists.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { afterPage, progressOf, splitUnreadable, type Unreadable } from '../kit/response.ts';
import { returnedSums } from '../kit/returned.ts';
import type { AsaasClient, Page } from './client.ts';
import { referenceOf, returnsOf } from './mapping.ts';
import { type AsaasCredit, type AsaasReceived, statementLine } from './wire-format.ts';

function paidPixOf(payment: AsaasReceived): StatementPix {
  const { id, externalReference, value, netValue, paymentDate } = payment;
  return {
    reference: id,
    endToEndId: null,
    charge: { transactionId: externalReference ?? null, reference: referenceOf(payment) },
    amountInCents: value,
    ...returnedSums(returnsOf(payment)),
    // "Net value of the charge after discounting the Asaas fee" (docs.asaas.com/reference/list-payments).
    feeInCents: netValue && netValue <= value ? cents(value - netValue) : null,
    // A day, without the time.
    receivedAt: paymentDate,
  };
}

/** The line of a credit says neither whose it is nor what became of it. */
const creditedPixOf = ({ id, value, date }: AsaasCredit): StatementPix => ({
  reference: id,
  endToEndId: null,
  charge: { transactionId: null, reference: null },
  amountInCents: value,
  returnedInCents: null,
  reversedInCents: null,
  feeInCents: null,
  receivedAt: date,
});

function pageOf<Item>(
  { items, hasMore, totalCount }: Page<Item | Unreadable | undefined>,
  cursor: string | null,
  pixOf: (item: Item) => StatementPix,
): StatementPage {
  const progress = progressOf(cursor);
  const itemCount = items.length;
  const nextAt = hasMore ? progress.at + itemCount : null;
  const { read, unreadable } = splitUnreadable(items);
  return {
    pix: read.flatMap((item) => (item ? pixOf(item) : [])),
    unreadable,
    ...afterPage(progress, { itemCount, total: totalCount, nextAt }),
  };
}

const linesFrom = (cursor = ''): string => `lines ${cursor}`;

/**
 * Lists the payments of the day first: "whenever your account receives a payment, a charge is attached to it", transfers to a
 * key included (docs.asaas.com/docs/common-questions). Then the lines of the account's statement, for a Pix that has no
 * payment all the same (`PIX_TRANSACTION_CREDIT`, docs.asaas.com, "Recuperar extrato").
 */
export const createAsaasStatement =
  (
    client: Pick<AsaasClient, 'listPaidByPix' | 'listFinancialTransactions'>,
  ): NonNullable<PspAdapter['listStatement']> =>
  async ({ since, until }, cursor, signal) => {
    const days = { from: brasiliaDay(since), to: brasiliaDay(new Date(until.getTime() - 1)) };
    if (cursor?.startsWith(linesFrom())) {
      const own = cursor.slice(linesFrom().length) || null;
      const { at } = progressOf(own);
      const lines = await client.listFinancialTransactions(statementLine, days, at, signal);
      const page = pageOf(lines, own, creditedPixOf);
      return { ...page, nextCursor: page.nextCursor && linesFrom(page.nextCursor) };
    }
    const payments = await client.listPaidByPix(days, progressOf(cursor).at, signal);
    const page = pageOf(payments, cursor, paidPixOf);
    return page.hasChanged ? page : { ...page, nextCursor: page.nextCursor ?? linesFrom() };
  };
