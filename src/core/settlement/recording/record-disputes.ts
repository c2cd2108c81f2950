import { newId } from '../../base/ids.ts';
import { type Dispute, isBeingSent } from '../../disputes/rules/dispute.ts';
import { receivedOf } from '../../payments/rules/payment.ts';
import type { ChargeAttempt } from '../../payments/store/charge-attempts.ts';
import { claimedInCents, disputesIn } from '../rules/reported-disputes.ts';
import type { ChargeOutcome } from '../../providers/rules/charge.ts';
import type { Queryable } from '../../../database/database.ts';
import { changeDispute, insertDispute, listDisputes } from '../../disputes/store/disputes.ts';
import type { LockedPayment } from '../../payments/store/payment-changes.ts';
import { earliestOf } from './record-reversals.ts';

export interface RecordedDisputes {
  /** Disputes that were opened or closed just now; each gets an event of its own. */
  changed: Dispute[];
  /** Since when the oldest open dispute has been known; null if none is open. */
  openSince: Date | null;
}

const unanswered = { answer: null, answeredAt: null, answerSentAt: null, answerRefusedAt: null };

/** Records the claims on a charge that its provider reports, under the payment's lock. */
export async function recordDisputes(
  tx: Queryable,
  payment: LockedPayment,
  { charge, isChosen, attempt }: { charge: ChargeOutcome; isChosen: boolean; attempt: ChargeAttempt },
  now: Date,
): Promise<RecordedDisputes> {
  const { id: paymentId, organizationId, mode, disputed } = payment;
  const canHaveEnded = disputed && isChosen && charge.disputes !== undefined;
  if (!charge.disputes?.length && !disputed) return { changed: [], openSince: null };
  const listed = await listDisputes(tx, paymentId);
  const known = new Map(listed.map((dispute) => [dispute.pspReference, dispute]));
  const reported = disputesIn(charge, canHaveEnded ? listed : []);
  const changed: Dispute[] = [];
  for (const { reference, state, amountInCents, reason, defenceUntil, openedAt, isDefended } of reported) {
    const earlier = known.get(reference);
    const isAsBefore = earlier?.state === state;
    const isDeadlineKnown = !defenceUntil || earlier?.defenceUntil?.getTime() === defenceUntil.getTime();
    const isDefendedElsewhere = isDefended === true && !earlier?.answer;
    if (isAsBefore && isDeadlineKnown && !isDefendedElsewhere) continue;
    const closedAt = state === 'open' ? null : (isAsBefore && earlier.closedAt) || now;
    const about = {
      state,
      amountInCents: claimedInCents(amountInCents, receivedOf(payment), charge.receivedPix),
      reason,
      defenceUntil: defenceUntil ?? earlier?.defenceUntil ?? null,
      openedAt: openedAt ?? earlier?.openedAt ?? null,
      ...(isDefendedElsewhere && { answer: 'defence' as const, answeredAt: now, answerSentAt: now }),
    };
    const dispute: Dispute = earlier
      ? { ...earlier, ...about, closedAt }
      : {
          ...unanswered,
          ...about,
          id: newId(now),
          paymentId,
          pspReference: reference,
          closedAt,
          createdAt: now,
        };
    // A worker works out when there is something to do about it; with an answer on its way, that is known.
    const isSending = isBeingSent(dispute);
    const isWorkLeft = closedAt ? dispute.answer === 'defence' : Boolean(defenceUntil) || isSending;
    const nextCheckAt = isWorkLeft ? now : null;
    const schedule = isSending && isAsBefore ? {} : { nextCheckAt };
    const { id: attemptId, credentialId } = attempt;
    if (earlier) await changeDispute(tx, earlier.id, { ...about, closedAt, ...schedule });
    else await insertDispute(tx, { ...dispute, organizationId, mode, attemptId, credentialId, nextCheckAt });
    known.set(reference, dispute);
    if (!isAsBefore) changed.push(dispute);
  }
  const open = [...known.values()].filter(({ state }) => state === 'open');
  return { changed, openSince: earliestOf(open.map(({ createdAt }) => createdAt)) };
}
