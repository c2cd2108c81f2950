import { isLastLook, nextLateCheck } from './rules/check-schedule.ts';
import { transactionIdOf } from '../base/ids.ts';
import { endOfBrasiliaDay } from '../base/time/brasilia.ts';
import { type Charge, type ChargeIds, type ChargeOutcome, kindOf } from '../providers/rules/charge.ts';
import { type PspAdapter, type PspCapabilities } from '../providers/rules/psp.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { signalInTrace } from '../../observability/trace.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { type ChargeAttempt, recordCancelled } from '../payments/store/charge-attempts.ts';
import { termsOf } from '../payments/rules/due/due.ts';
import { closingDayOf } from '../payments/rules/due/due-terms.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import type { PspConnection } from '../providers/psps.ts';
import type { ChangePayment, ChangePayments } from '../events/change-payments.ts';
import type { RecordCharge } from './recording/record-charge.ts';

export const lookupTimeoutMs = 12_000;

/** `asOf` is the time of the payment, where it can be another than the real one. */
export const chargeIdsOf = (
  { id, pspReference, due, debit }: Pick<ChargeAttempt, 'id' | 'pspReference' | 'due' | 'debit'>,
  asOf?: Date,
): ChargeIds => ({
  transactionId: transactionIdOf(id),
  reference: pspReference,
  kind: kindOf({ due, debit }),
  ...(due && { payableUntil: endOfBrasiliaDay(closingDayOf(termsOf(due))) }),
  ...(asOf && { asOf }),
});

/** Puts an operation of the attempt's charge into its trace. */
export const lookupSignal = ({ traceparent }: ChargeAttempt): AbortSignal =>
  signalInTrace(AbortSignal.timeout(lookupTimeoutMs), traceparent);

const cancel = (attempt: ChargeAttempt, adapter: PspAdapter, asOf: Date): Promise<ChargeOutcome> =>
  adapter.cancelCharge(chargeIdsOf(attempt, asOf), lookupSignal(attempt));

const isRejected = (error: unknown): boolean => error instanceof PspError && error.failure === 'rejected';

/** Returns the charge, after cancelling it if it was payable and its PSP supports one of these ways to cancel. */
export async function cancelActive(
  attempt: ChargeAttempt,
  charge: ChargeOutcome,
  adapter: PspAdapter,
  { ways, asOf }: { ways: readonly PspCapabilities['cancel'][]; asOf: Date },
): Promise<ChargeOutcome> {
  if (charge.status !== 'active' || !ways.includes(adapter.capabilities.cancel)) return charge;
  return cancel(attempt, adapter, asOf);
}

/** Ends charges whose payments have expired: an expired code must not stay payable. */
export interface Expiry {
  /**
   * Cancels without looking first, if the PSP refuses to cancel paid charges. Returns whether the charge is cancelled now, and
   * therefore unpaid.
   */
  cancelUnseen(attempt: ChargeAttempt, connection: PspConnection): Promise<boolean>;
  /** Ends the payment of a cancelled charge. If a Pix was in flight, a sweep or a late look finds it. */
  endUnseen(attempt: ChargeAttempt & { cancelledAt: Date }): Promise<void>;
  /** Ends the payment according to its charge. Expiry alone never triggers a refund. */
  end(attempt: ChargeAttempt, charge: Charge | undefined, connection: PspConnection): Promise<void>;
}

interface Dependencies {
  db: Database;
  changePayments: ChangePayments;
  record: RecordCharge;
  now: () => Date;
}

export function createExpiry({ db, changePayments, record, now }: Dependencies): Expiry {
  async function expire(
    tx: Queryable,
    change: ChangePayment,
    paymentId: string,
    since?: Date,
  ): Promise<void> {
    const payment = await lockPayment(tx, paymentId);
    if (payment?.status !== 'pending') return;
    // Its provider may still accept money for it.
    const nextCheckAt = nextLateCheck(since ?? payment.expiresAt, now());
    await change(payment, { status: 'expired', nextCheckAt });
  }

  return {
    async cancelUnseen(attempt, { polling }) {
      if (polling.expiry.capabilities.cancel !== 'unpaid') return false;
      try {
        if ((await cancel(attempt, polling.expiry, now())).status !== 'cancelled') return false;
      } catch (error) {
        if (isRejected(error)) return false;
        throw error;
      }
      await recordCancelled(db, attempt.id, now());
      return true;
    },

    endUnseen: ({ paymentId, cancelledAt, traceparent }) =>
      changePayments((tx, change) => expire(tx, change, paymentId, cancelledAt), traceparent),

    async end(attempt, charge, { polling }) {
      const end =
        charge &&
        (await cancelActive(attempt, charge, polling.expiry, { ways: ['unpaid'], asOf: now() }).catch(
          (error: unknown) => {
            if (isRejected(error)) return charge;
            throw error;
          },
        ));
      // A Pix may have been in flight at the cancellation, so the check within the next minute is the last.
      if (end?.status === 'cancelled') return;
      if (end?.status === 'active' && !isLastLook(attempt.paymentEndsAt, now())) return;
      await changePayments(async (tx, change) => {
        if (end && end.status !== 'active') await record(tx, change, attempt, end);
        else await expire(tx, change, attempt.paymentId);
      }, attempt.traceparent);
    },
  };
}
