import type { Charge, PspDispute } from '../providers/rules/charge.ts';
import type { Polling } from '../providers/rules/request-quota.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { inSpan, type Tracing } from '../../observability/tracing.ts';
import type { ChargeAttempt } from '../payments/store/charge-attempts.ts';
import { hasBeenPaid } from '../payments/rules/payment.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import type { PspConnection } from '../providers/psps.ts';
import type { TrafficObserver } from '../providers/credential-traffic.ts';
import { chargeIdsOf, lookupSignal } from './expiry.ts';
import type { Recorded, RecordCharge } from './recording/record-charge.ts';
import { withdrawn } from './withdraw-debit.ts';

/**
 * Why a charge is looked up, as its trace names it. `hint`, an unproven notification, proves neither that notifications arrive
 * nor that one was missed.
 */
type LookupReason = 'notification' | 'hint' | Polling;

/** What is known of the charge from elsewhere. */
interface Told {
  /** The provider's id of the Pix said to have paid it. */
  pixReference?: string | undefined;
  /** The claims on its money, where the charge itself does not tell of them. */
  claims?: readonly PspDispute[];
}

/** Asks providers about charges, and records what they say. */
export interface LookUp {
  /** Work on a payment continues the payment's trace, whatever the reason, and links to the reason's own trace if it has one. */
  traced<T>(
    attempt: ChargeAttempt,
    reason: LookupReason | 'cancel' | 'revise',
    work: (attempt: ChargeAttempt) => Promise<T>,
    cause?: string | null,
  ): Promise<T>;
  /** Without a charge, its provider is certain that there is none. */
  lookUpAndRecord(
    attempt: ChargeAttempt,
    reason: LookupReason,
    connection: PspConnection,
    told?: Told,
  ): Promise<{ charge?: Charge; recorded: Recorded }>;
}

interface Dependencies {
  changePayments: ChangePayments;
  record: RecordCharge;
  traffic: TrafficObserver;
  tracing: Tracing;
  metrics: Pick<Metrics, 'paymentConfirmed'>;
  now: () => Date;
}

export function createLookUp(dependencies: Dependencies): LookUp {
  const { changePayments, record, traffic, tracing, metrics, now } = dependencies;
  return {
    traced(attempt, reason, work, cause) {
      const span = tracing.start('settle payment', {
        kind: 'internal',
        parent: attempt.traceparent,
        cause,
        attributes: { 'pix.payment.id': attempt.paymentId, 'pix.settle.reason': reason },
      });
      return inSpan(span, () => work({ ...attempt, traceparent: span.traceparent ?? null }));
    },

    async lookUpAndRecord(attempt, reason, connection, { pixReference, claims } = {}) {
      // Somebody waits for what a notification or the PSP's list says, so that is not polling.
      const isPolling = reason === 'look' || reason === 'expiry';
      const adapter = isPolling ? connection.polling[reason] : connection.adapter;
      // Once the money is recorded, we ask what became of it, which the Pix tells only in part.
      const isPaid = hasBeenPaid({ status: attempt.paymentStatus });
      const sought = { ...chargeIdsOf(attempt, now()), ...(!isPaid && { pixReference }) };
      const found = await adapter.findCharge(sought, lookupSignal(attempt));
      if (!found) return { recorded: 'too_early' };
      const seen = await withdrawn(attempt, found, connection.adapter, now());
      const charge = claims ? { ...seen, disputes: claims } : seen;
      // Once money is recorded, a report without its details would contradict what they said before.
      if (charge.missing && isPaid) throw charge.missing;
      const recorded = await changePayments(
        (tx, change) => record(tx, change, attempt, charge),
        attempt.traceparent,
      );
      if (charge.status === 'paid') {
        if (attempt.paymentStatus === 'pending') metrics.paymentConfirmed(attempt.provider, reason);
        if (reason === 'notification') await traffic.confirmedByNotification(attempt, connection.traffic);
        else if (reason !== 'hint' && attempt.paymentStatus === 'pending')
          await traffic.confirmedByPolling(attempt, connection.traffic, { charge, by: reason });
      }
      if (charge.missing) throw charge.missing;
      return { charge, recorded };
    },
  };
}
