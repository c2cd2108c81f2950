import { createHash } from 'node:crypto';
import { reaisFromCents } from '../../../src/domain/money.ts';
import { dayOf, listOf } from './asaas-wire.ts';
import type { Ledger } from './ledger.ts';
import type { Route } from './psp.ts';

const feeInReais = -0.99;

interface Line {
  key: string;
  at: Date;
  type: 'PAYMENT_RECEIVED' | 'PAYMENT_FEE' | 'PAYMENT_REVERSAL';
  value: number;
  paymentId: string;
  pixTransactionId?: unknown;
}

/**
 * `GET /v3/financialTransactions`. Its parameters `offset`, `limit` (at most 100), `startDate`, `finishDate` and `order`,
 * and the types of its lines: docs.asaas.com/reference/recuperar-extrato. A line's members, that `date` is a day, that the
 * newest comes first unless `order=asc`, and that each fee is a line with the id of its payment: the example there.
 * `pixTransactionId` is not documented: a line had it in October 2026 (a mirror of the statement, "medido ao vivo", in a
 * public repository's `extratoAsaas`).
 */
export function asaasStatementRoute(ledger: Ledger, namesPix: () => boolean): Route {
  const linesOf = (): Line[] =>
    ledger.charges.flatMap(({ reference: paymentId, pix, refunds, details }) => [
      ...pix.flatMap(({ endToEndId, amountInCents, paidAt: at }): Line[] => [
        {
          key: endToEndId,
          at,
          type: 'PAYMENT_RECEIVED',
          value: reaisFromCents(amountInCents),
          paymentId,
          pixTransactionId: namesPix() ? details['pixTransaction'] : null,
        },
        { key: `${endToEndId} fee`, at, type: 'PAYMENT_FEE', value: feeInReais, paymentId },
      ]),
      ...refunds.map(({ refundId, amountInCents, createdAt: at }): Line => {
        const value = -reaisFromCents(amountInCents);
        return { key: refundId, at, type: 'PAYMENT_REVERSAL', value, paymentId };
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
      const [start, finish] = [query.get('startDate') ?? '', query.get('finishDate') ?? '9999'];
      const oldestFirst = linesOf()
        .filter(({ at }) => dayOf(at) >= start && dayOf(at) <= finish)
        .toSorted((one, other) => one.at.getTime() - other.at.getTime());
      const ordered = query.get('order') === 'asc' ? oldestFirst : oldestFirst.toReversed();
      return listOf(ordered.map(printed), query);
    },
  };
}
