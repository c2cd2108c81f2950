import {
  isLastLook,
  dueAgain,
  nextDueCheck,
  nextPaymentCheck,
  nextWatchedCheck,
} from './rules/check-schedule.ts';
import {
  haveSweepsPassed,
  isLastLookSpared,
  isLookSpared,
  nothingKnown,
  sweepBy,
  watchedSince,
} from './rules/polling-pace.ts';
import { dueUntil } from '../payments/rules/due/due.ts';
import type { Charge } from '../providers/rules/charge.ts';
import { retryAfterMsOf } from '../providers/rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { type ChargeAttempt, findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { findWatchedAt, schedulePendingCheck } from '../payments/store/payment-checks.ts';
import { resumeRevision } from '../payments/store/revisions.ts';
import { hastenSweep } from './store/sweeps.ts';
import { conditionsOf, connectionTo, type PspConnection, type Psps } from '../providers/psps.ts';
import type { Expiry } from './expiry.ts';
import type { LookUp } from './look-up.ts';
import type { Overdue } from './overdue.ts';
import { isRevised, type Revise } from './revise.ts';
import { thenSchedule } from './then-schedule.ts';

/** Statuses that neither confirm a payment nor allow it to end unpaid. */
const undecided: readonly Charge['status'][] = ['paid', 'contested', 'unrecognised'];
interface Dependencies {
  db: Database;
  psps: Psps;
  lookUp: LookUp;
  expiry: Expiry;
  overdue: Overdue;
  revise: Revise;
  now: () => Date;
  /** Leases go by the real clock, which nobody moves. */
  leaseNow: () => Date;
  logger: Logger;
}

/** Looks at a payment that awaits its Pix, unless a sweep of its account spares the look, and ends it once it is over. */
export function createCheckPending(dependencies: Dependencies): (attempt: ChargeAttempt) => Promise<void> {
  const { db, psps, lookUp, expiry, overdue, revise, now, leaseNow, logger } = dependencies;
  const { traced, lookUpAndRecord } = lookUp;

  const ageMsOf = ({ paymentCreatedAt }: ChargeAttempt) => now().getTime() - paymentCreatedAt.getTime();

  /** Has the account swept soon enough for the payment, where its provider lists what it received. */
  async function ensureSweepDue(
    attempt: ChargeAttempt,
    connection: PspConnection,
    isWatched: boolean,
  ): Promise<void> {
    const { provider, credentialId } = attempt;
    if (credentialId === null || !connection.polling.sweep.listReceived) return;
    const at = now();
    const conditions = conditionsOf(connection);
    const by = sweepBy({ ageMs: ageMsOf(attempt), isWatched }, conditions, at);
    if (conditions.nextSweepAt && conditions.nextSweepAt <= by) return;
    await hastenSweep(db, { provider, credentialId }, { now: at, by });
  }

  async function lookUpAndEnd(attempt: ChargeAttempt, connection: PspConnection): Promise<void> {
    const isOver = attempt.paymentEndsAt <= now();
    const isExpiring = isOver && !isLastLook(attempt.paymentEndsAt, now());
    const { cancelledAt } = attempt;
    // A Pix may have been in flight, so the check a minute later is the last.
    if (isExpiring && (cancelledAt || (await expiry.cancelUnseen(attempt, connection)))) return;
    if (cancelledAt && isLastLookSpared(ageMsOf(attempt), conditionsOf(connection), now())) {
      await expiry.endUnseen({ ...attempt, cancelledAt });
      return;
    }
    const { charge } = await lookUpAndRecord(attempt, isOver ? 'expiry' : 'look', connection);
    const { paymentId, provider } = attempt;
    const payment = await findPaymentById(db, paymentId);
    if (payment?.status !== 'pending') return;
    if (!charge && !isOver) logger.warn({ paymentId, provider }, 'charge not found at its provider');
    if (!isOver || (charge && undecided.includes(charge.status))) return;
    // The charge cannot be cancelled, so it may be paid until then.
    if (charge?.status === 'active' && isExpiring) return;
    await expiry.end(attempt, charge, connection);
  }

  /** Finishes what a node began to change, unless a Pix that paid the charge decides it. Returns the attempt as it is then. */
  async function finishAbandoned(attempt: ChargeAttempt, connection: PspConnection): Promise<ChargeAttempt> {
    const { id, paymentId } = attempt;
    if (!isRevised(attempt) || !(await resumeRevision(db, paymentId, leaseNow()))) return attempt;
    await traced(attempt, 'look', (each) => lookUpAndRecord(each, 'look', connection));
    const pending = await findChargeAttempt(db, id);
    if (pending && isRevised(pending)) await revise.finish(pending, connection);
    return (await findChargeAttempt(db, id)) ?? attempt;
  }

  return async function checkPending(begun) {
    const { paymentId, paymentCreatedAt: createdAt } = begun;
    let attempt = begun;
    let conditions = nothingKnown;
    const check = async () => {
      const connection = await connectionTo(psps, begun);
      conditions = conditionsOf(connection);
      attempt = await finishAbandoned(begun, connection);
      if (attempt.paymentStatus !== 'pending') return;
      const watchedAt = await findWatchedAt(db, paymentId);
      const isWatched = watchedAt !== null && watchedAt > watchedSince(now());
      await ensureSweepDue(attempt, connection, isWatched);
      const isOver = attempt.paymentEndsAt <= now();
      const passedAt = overdue.passedAt(attempt);
      const isSpared = isLookSpared({ id: attempt.id, createdAt, isWatched }, conditions, now());
      const isAsked = passedAt === null || haveSweepsPassed(passedAt, conditions, now());
      if (isOver || !isSpared || !isAsked)
        await traced(attempt, isOver ? 'expiry' : 'look', (each) => lookUpAndEnd(each, connection));
      if (passedAt) await overdue.tell(attempt);
    };
    await thenSchedule(check(), (failure) => {
      const at = now();
      const again = (next: Date, isUrgent = true) => dueAgain(next, retryAfterMsOf(failure), at, isUrgent);
      const { due, mode, paymentEndsAt: expiresAt } = attempt;
      const payment = { id: paymentId, mode, createdAt, expiresAt };
      const watched = { since: watchedSince(at), nextAt: again(nextWatchedCheck(payment, at, conditions)) };
      const hasPassed = overdue.passedAt(attempt) !== null;
      const isOverdue = hasPassed || attempt.overdue;
      // One that was looked at last night comes after those whose due date has just passed.
      const isUrgent = !due || hasPassed || expiresAt <= at || isRevised(attempt);
      const nextAt = again(
        due && !failure
          ? nextDueCheck({ ...payment, dueUntil: dueUntil(due), isOverdue }, at, conditions)
          : nextPaymentCheck(payment, at, conditions),
        isUrgent,
      );
      return schedulePendingCheck(db, paymentId, { nextAt, watched });
    });
  };
}
