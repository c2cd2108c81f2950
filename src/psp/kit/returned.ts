import { type Cents, cents } from '../../core/base/money.ts';
import { isTakenBack, type ReversalReason, sum } from '../../core/payments/rules/reversal.ts';
import type { Charge, PspReversal, Refund } from '../../core/providers/rules/psp.ts';

/** One of the times that money of a Pix went back, in the words of a PSP that we understand. */
export interface ReportedReturn {
  amountInCents: Cents | null;
  status: Refund['status'];
  /** The PSP's id, where it has one. */
  reference?: string | null;
  /** Defaults to given back. */
  reason?: ReversalReason;
  reversedAt?: Date | null;
  mayBeOurs?: boolean;
}

export interface Returned {
  /** `contested` where nothing would be left of the amount if what is on its way back arrives. */
  status: Extract<Charge['status'], 'paid' | 'contested'>;
  returnedInCents: Cents;
  reversals: PspReversal[];
}

/** What became of a Pix of which these parts went back. */
export function afterReturns(paidInCents: Cents, returns: readonly ReportedReturn[]): Returned {
  const sumOf = (...statuses: Refund['status'][]) =>
    returns
      .filter(({ status }) => statuses.includes(status))
      .reduce((sum, { amountInCents }) => sum + (amountInCents ?? 0n), 0n);
  const done = sumOf('completed');
  const isGoing = done < paidInCents && done + sumOf('pending', 'unrecognised') >= paidInCents;
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

/** How much of a Pix has left again, and the part that was taken back. */
export function leftAgain({ returnedInCents, reversals }: Omit<Returned, 'status'>): {
  returnedInCents: Cents;
  reversedInCents: Cents;
} {
  const taken = reversals.filter((each) => each.status === 'completed' && isTakenBack(each));
  return { returnedInCents, reversedInCents: cents(sum(taken)) };
}
