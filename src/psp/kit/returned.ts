import { type Cents, cents } from '../../domain/money.ts';
import type { Charge, Refund } from '../../domain/providers/psp.ts';

/** One of the times that money of a Pix went back, in the words of a PSP that we understand. */
export interface ToldReturn {
  amountInCents: Cents | null;
  status: Refund['status'];
}

export interface Returned {
  /** `contested` where nothing would be left of the amount if what is on its way back arrives. */
  status: Extract<Charge['status'], 'paid' | 'contested'>;
  returnedInCents: Cents;
}

/** What became of a Pix of which these parts went back. */
export function afterReturns(paidInCents: Cents, returns: readonly ToldReturn[]): Returned {
  const sumOf = (...statuses: Refund['status'][]) =>
    returns
      .filter(({ status }) => statuses.includes(status))
      .reduce((sum, { amountInCents }) => sum + (amountInCents ?? 0n), 0n);
  const done = sumOf('completed');
  const isGoing = done < paidInCents && done + sumOf('pending', 'unrecognised') >= paidInCents;
  return {
    status: isGoing ? 'contested' : 'paid',
    returnedInCents: cents(done < paidInCents ? done : paidInCents),
  };
}
