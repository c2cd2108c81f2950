import { createHash } from 'node:crypto';
import { cents, reaisFromCents } from '../../../src/core/base/money.ts';
import { dayOf, feeInCents, listOf } from './asaas-wire.ts';
import type { EmulatedCharge, EmulatedPix, Ledger } from './ledger.ts';
import type { Route } from './psp.ts';

interface Line {
  key: string;
  at: Date;
  type: 'PAYMENT_RECEIVED' | 'PAYMENT_FEE' | 'PAYMENT_REVERSAL' | 'PIX_TRANSACTION_CREDIT';
  value: number;
  paymentId: string | null;
  pixTransactionId?: unknown;
}

const midnightOf = (day: string): number => Date.parse(`${day}T00:00:00-03:00`);

/** For a Pix that the account received without one, as in the statement's type `PIX_TRANSACTION_CREDIT`. */
const hasPayment = ({ details }: Pick<EmulatedCharge, 'details'>): boolean =>
  details['isWithoutPayment'] !== true;

/**
 * `GET /v3/financialTransactions`. Its parameters `offset`, `limit` (at most 100), `startDate`, `finishDate` and `order`,
 * and the types of its lines: docs.asaas.com/reference/recuperar-extrato. A line's members, that `date` is a day, that the
 * newest comes first unless `order=asc`, and that each fee is a line with the id of its payment: the example there.
 * `pixTransactionId` is not documented: a line had it in October 2026 (a mirror of the statement, "medido ao vivo", in a
 * public repository's `extratoAsaas`).
 */
export function asaasStatementRoute(ledger: Ledger, namesPix: () => boolean): Route {
  type IsIn = (at: Date) => boolean;
  const listed = (pix: readonly EmulatedPix[], isIn: IsIn) =>
    pix.filter((each) => isIn(each.paidAt) && ledger.isListed(each));

  const creditLines = (isIn: IsIn): Line[] =>
    ledger.charges
      .filter((charge) => !hasPayment(charge))
      .flatMap(({ pix }) => listed(pix, isIn))
      .map(({ endToEndId: key, amountInCents, paidAt: at }) => {
        const value = reaisFromCents(amountInCents);
        return { key, at, type: 'PIX_TRANSACTION_CREDIT', value, paymentId: null };
      });

  const paymentLines = (isIn: IsIn): Line[] =>
    ledger.charges.filter(hasPayment).flatMap(({ reference: paymentId, pix, refunds, details }) => [
      ...listed(pix, isIn).flatMap(({ endToEndId, amountInCents, paidAt: at }): Line[] => [
        {
          key: endToEndId,
          at,
          type: 'PAYMENT_RECEIVED',
          value: reaisFromCents(amountInCents),
          paymentId,
          pixTransactionId: namesPix() ? details['pixTransaction'] : null,
        },
        {
          key: `${endToEndId} fee`,
          at,
          type: 'PAYMENT_FEE',
          value: -reaisFromCents(cents(feeInCents)),
          paymentId,
        },
      ]),
      ...refunds.flatMap(({ refundId, amountInCents, createdAt: at }): Line[] => {
        if (!isIn(at)) return [];
        const value = -reaisFromCents(amountInCents);
        return [{ key: refundId, at, type: 'PAYMENT_REVERSAL', value, paymentId }];
      }),
    ]);

  const printed = ({ key, at, type, value, paymentId, pixTransactionId = null }: Line) => ({
    object: 'financialTransaction',
    id: `ftn_${parseInt(createHash('md5').update(key).digest('hex').slice(0, 10), 16)}`,
    value,
    balance: 0,
    type,
    date: dayOf(at),
    description: null,
    paymentId,
    transferId: null,
    pixTransactionId,
    anticipationId: null,
    billId: null,
    invoiceId: null,
    paymentDunningId: null,
    creditBureauReportId: null,
  });

  return {
    operation: 'list',
    method: 'GET',
    path: /\/v3\/financialTransactions/,
    reply({ query }) {
      const since = midnightOf(query.get('startDate') ?? '2000-01-01');
      const until = midnightOf(query.get('finishDate') ?? '2999-12-31') + 86_400_000;
      const isIn = (at: Date) => at.getTime() >= since && at.getTime() < until;
      const oldestFirst = [...paymentLines(isIn), ...creditLines(isIn)].toSorted(
        (one, other) => one.at.getTime() - other.at.getTime(),
      );
      const ordered = query.get('order') === 'asc' ? oldestFirst : oldestFirst.toReversed();
      return listOf(ordered.map(printed), query);
    },
  };
}

/**
 * `GET /v3/payments`, whose filters are all optional, those of dates inclusive
 * (docs.asaas.com/reference/list-payments: `externalReference`, `billingType`, `paymentDate[ge]`, `paymentDate[le]`,
 * `dateCreated[ge]`, `dateCreated[le]`).
 */
export function paymentsIn({ charges, isListed }: Ledger, query: URLSearchParams): EmulatedCharge[] {
  const [from, to] = [query.get('paymentDate[ge]'), query.get('paymentDate[le]')];
  const [reference, billingType] = [query.get('externalReference'), query.get('billingType')];
  const [customer, code] = [query.get('customer'), query.get('pixQrCodeId')];
  const isPaidIn = ({ pix: [pix] }: EmulatedCharge): boolean => {
    if (from === null && to === null) return true;
    const day = pix && isListed(pix) ? dayOf(pix.paidAt) : '';
    return day !== '' && day >= (from ?? '') && day <= (to ?? '9999');
  };
  const isMadeIn = ({ createdAt }: EmulatedCharge): boolean =>
    dayOf(createdAt) >= (query.get('dateCreated[ge]') ?? '') &&
    dayOf(createdAt) <= (query.get('dateCreated[le]') ?? '9999');
  return charges
    .filter(hasPayment)
    .filter(isMadeIn)
    .filter(({ transactionId }) => reference === null || transactionId === reference)
    .filter(({ details }) => customer === null || details['customer'] === customer)
    .filter(({ details }) => code === null || details['pixQrCodeId'] === code)
    .filter((charge) => isPaidIn(charge) && (billingType ?? 'PIX') === 'PIX');
}
