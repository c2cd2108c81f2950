import { type Cents, cents } from '../../core/base/money.ts';
import { isTakenBack, type ReversalReason, sum } from '../../core/payments/rules/reversal.ts';
import type { Charge, PspReversal, Refund } from '../../core/providers/rules/charge.ts';

/** One return of money of a Pix, translated from the PSP's words. */
export interface ReportedReturn {
  amountInCents: Cents | null;
  status: Refund['status'];
  /** The PSP's id, if there is one. */
  reference?: string | null;
  /** Defaults to `returned_at_psp`. */
  reason?: ReversalReason;
  reversedAt?: Date | null;
  mayBeOurs?: boolean;
}

export interface Returned {
  /** `contested` if nothing would be left of the amount once the returns on their way arrive. */
  status: Extract<Charge['status'], 'paid' | 'contested'>;
  returnedInCents: Cents;
  reversals: PspReversal[];
}

const sumOf = (returns: readonly ReportedReturn[], ...statuses: Refund['status'][]): bigint =>
  returns
    .filter(({ status }) => statuses.includes(status))
    .reduce((total, { amountInCents }) => total + (amountInCents ?? 0n), 0n);

/** What is left beside these returns and those on their way, for a chargeback to take. */
export function leftBy(paidInCents: Cents, returns: readonly ReportedReturn[]): Cents {
  const left = paidInCents - sumOf(returns, 'completed', 'pending');
  return cents(left > 0n ? left : 0n);
}

/** What became of a Pix that had these returns. */
export function afterReturns(paidInCents: Cents, returns: readonly ReportedReturn[]): Returned {
  const done = sumOf(returns, 'completed');
  const isGoing = done < paidInCents && done + sumOf(returns, 'pending', 'unrecognised') >= paidInCents;
  return {
    status: isGoing ? 'contested' : 'paid',
    returnedInCents: cents(done < paidInCents ? done : paidInCents),
    reversals: returns.flatMap(({ reference, amountInCents, status, reason, reversedAt, mayBeOurs }) =>
      reference && amountInCents
        ? [
            {
              reference,
              amountInCents,
              status,
              reason: reason ?? 'returned_at_psp',
              reversedAt: reversedAt ?? null,
              ...(mayBeOurs && { mayBeOurs }),
            },
          ]
        : [],
    ),
  };
}

/** How much of a Pix has left again, and how much of that was taken back. */
export function returnedSums({ returnedInCents, reversals }: Omit<Returned, 'status'>): {
  returnedInCents: Cents;
  reversedInCents: Cents;
} {
  const taken = reversals.filter((each) => each.status === 'completed' && isTakenBack(each));
  return { returnedInCents, reversedInCents: cents(sum(taken)) };
}
