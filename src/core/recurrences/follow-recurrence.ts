import type { Database, Queryable } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { brasiliaDay, endOfBrasiliaDay } from '../base/time/brasilia.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { PaymentHints } from '../events/payment-hints.ts';
import type { RecurrenceEventType } from '../events/rules/events.ts';
import type { DebitPayments } from '../payments/debit-payment.ts';
import { hasBeenPaid } from '../payments/rules/payment.ts';
import { findChosenAttempt } from '../payments/store/charge-attempts.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import type { PspCatalogue } from '../providers/psp-catalogue.ts';
import { connectionTo, type Psps } from '../providers/psps.ts';
import type { PspRecurrence } from '../providers/rules/psp-recurrence.ts';
import { isLastLook } from '../settlement/rules/check-schedule.ts';
import type { Settlement } from '../settlement/settlement.ts';
import { storeEventApart } from '../webhooks/store-event-apart.ts';
import { recurrenceIdsOf } from './recurrence-ids.ts';
import { nextRecurrenceCheck } from './recurrence-schedule.ts';
import { lastDayToSend, nextDebitDay } from './rules/cycle.ts';
import { lastDebitDay } from './rules/debit.ts';
import { canBecome, isEnding, type Recurrence, type RecurrenceStatus } from './rules/recurrence.ts';
import {
  changeRecurrence,
  findRecurrenceById,
  lockRecurrence,
  type RecurrenceChange,
} from './store/recurrences.ts';
import { recurrenceView } from './views/recurrence-view.ts';

/** What payer and provider make of recurrences: permitted, refused, ended. */
export interface RecurrenceFollowing {
  /** Asks its provider about one and records the answer. Returns the recurrence as it is then. */
  lookUp(recurrence: Recurrence): Promise<Recurrence>;
  /** Has its provider end it. Returns the recurrence as it is then. */
  end(recurrence: Recurrence): Promise<Recurrence>;
  /** Whether its provider has to end it: nobody can permit it any more, or its last debit can no longer be paid. */
  isOver(recurrence: Recurrence): Promise<boolean>;
  /** Ends one that is over. */
  expire(recurrence: Recurrence): Promise<void>;
}

interface Dependencies {
  db: Database;
  psps: Psps;
  catalogue: Pick<PspCatalogue, 'leastDebitDays'>;
  debitPayments: Pick<DebitPayments, 'hasten'>;
  settlement: Pick<Settlement, 'lookUpListed'>;
  hints: Pick<PaymentHints, 'announce'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
  logger: Logger;
}

const lookupTimeoutMs = 12_000;
const consentDelayMs = 24 * 3_600_000;

const expired = { status: 'expired', endedBy: null, reason: null } as const;

const eventOf: Partial<Record<RecurrenceStatus, RecurrenceEventType>> = {
  active: 'recurrence_activated',
  rejected: 'recurrence_rejected',
  cancelled: 'recurrence_cancelled',
  expired: 'recurrence_expired',
};

export function createRecurrenceFollowing(dependencies: Dependencies): RecurrenceFollowing {
  const { db, psps, catalogue, debitPayments, settlement, hints, testClocks, now, logger } = dependencies;

  async function store(tx: Queryable, recurrence: Recurrence, change: RecurrenceChange): Promise<void> {
    const changed = await changeRecurrence(tx, recurrence.id, change);
    const type = change.status && eventOf[change.status];
    if (!type) return;
    logger.info({ recurrenceId: changed.id, status: changed.status }, 'recurrence changed');
    await storeEventApart(tx, type, changed, { data: recurrenceView(changed), createdAt: now() });
  }

  /** Whoever follows recurrences is told once the change is committed. */
  async function changing<T>(
    work: (
      tx: Queryable,
      change: (recurrence: Recurrence, change: RecurrenceChange) => Promise<void>,
    ) => Promise<T>,
  ): Promise<T> {
    const changed: Recurrence[] = [];
    const result = await db.$transaction((tx) =>
      work(tx, async (recurrence, change) => {
        await store(tx, recurrence, change);
        changed.push(recurrence);
      }),
    );
    for (const { id, organizationId, mode } of changed)
      hints.announce({ kind: 'recurrence', organizationId, mode, id });
    return result;
  }

  /** What follows from a status that the provider reports. */
  function changeTo(
    recurrence: Recurrence,
    { status: reported, endedBy, reason }: PspRecurrence,
  ): RecurrenceChange | undefined {
    // Some providers have one word for what was refused and what was taken back.
    const isTakenBack = reported === 'rejected' && recurrence.status === 'active';
    const status = isTakenBack ? 'cancelled' : reported;
    if (status === 'unrecognised' || !canBecome(recurrence.status, status)) return undefined;
    const at = testClocks.nowIn(recurrence);
    if (status !== 'active')
      return { status, endedBy, statusReason: reason, endedAt: at, nextDebitOn: null, nextCheckAt: null };
    const leastDays = catalogue.leastDebitDays(recurrence.provider);
    const next =
      recurrence.schedule === 'automatic' ? nextDebitDay(recurrence, brasiliaDay(at), leastDays) : undefined;
    const active = { ...recurrence, status, nextDebitOn: next ?? null };
    return {
      status,
      activatedAt: at,
      nextDebitOn: active.nextDebitOn,
      nextCheckAt: nextRecurrenceCheck(active, at),
    };
  }

  /** Records what the provider says of it. Returns the recurrence as it is then. */
  const record = (id: string, reported: PspRecurrence): Promise<Recurrence | undefined> =>
    changing(async (tx, become) => {
      const recurrence = await lockRecurrence(tx, id);
      const change = recurrence && changeTo(recurrence, reported);
      if (!recurrence || !change) return recurrence;
      // Its scheduled debits end with it, which only their provider tells.
      if (change.endedAt) await debitPayments.hasten(tx, id, testClocks.nowIn(recurrence));
      await become(recurrence, change);
      return findRecurrenceById(tx, id);
    });

  /** What was permitted with the first payment shows that it was made; some PSPs list it under no name that sweeps know. */
  async function confirmFirst({ authorization, firstPaymentId }: Recurrence): Promise<void> {
    if (authorization !== 'qr_with_payment' || firstPaymentId === null) return;
    const attempt = await findChosenAttempt(db, firstPaymentId);
    if (attempt?.paymentStatus === 'pending') await settlement.lookUpListed(attempt);
  }

  /** Whether it is cancelled because it was over: that we had it ended then may be all that its provider tells. */
  const isExpiry = async (recurrence: Recurrence, { status, endedBy }: PspRecurrence): Promise<boolean> =>
    status === 'cancelled' &&
    (endedBy === 'receiver' || endedBy === null) &&
    !isEnding(recurrence) &&
    isOver(recurrence);

  /** Where many debits are due at once, those that can still be made tomorrow leave room for payments. */
  function canWait(recurrence: Recurrence, at: Date): boolean {
    const { status, nextDebitOn, provider } = recurrence;
    if (status !== 'active' || isEnding(recurrence)) return false;
    return (
      nextDebitOn === null || brasiliaDay(at) < lastDayToSend(nextDebitOn, catalogue.leastDebitDays(provider))
    );
  }

  async function lookUp(recurrence: Recurrence): Promise<Recurrence> {
    const at = testClocks.nowIn(recurrence);
    const { adapter, polling } = await connectionTo(psps, recurrence);
    const asked = canWait(recurrence, at) ? polling.look : adapter;
    const { id, reference } = recurrence;
    const ids = recurrenceIdsOf(recurrence, at);
    const reported = await asked.findRecurrence?.(ids, AbortSignal.timeout(lookupTimeoutMs));
    if (!reported) return recurrence;
    const { reference: found } = reported;
    if (reference !== null && found !== reference) return recurrence;
    if (recurrence.status === 'pending' && reported.status === 'active') await confirmFirst(recurrence);
    const seen = (await isExpiry(recurrence, reported)) ? { ...reported, ...expired } : reported;
    return (await record(id, seen)) ?? recurrence;
  }

  async function askToEnd(recurrence: Recurrence, at: Date): Promise<PspRecurrence | undefined> {
    const { adapter } = await connectionTo(psps, recurrence);
    const ids = recurrenceIdsOf(recurrence, at);
    return adapter.cancelRecurrence?.(ids, AbortSignal.timeout(lookupTimeoutMs));
  }

  async function end(recurrence: Recurrence): Promise<Recurrence> {
    const ended = await askToEnd(recurrence, testClocks.nowIn(recurrence));
    const reported = ended && { ...ended, endedBy: ended.endedBy ?? 'receiver' };
    return (reported && (await record(recurrence.id, reported))) ?? recurrence;
  }

  /** Nobody permitted it in time, or its last day has passed. */
  async function expire(recurrence: Recurrence): Promise<void> {
    const at = testClocks.nowIn(recurrence);
    const ended = await askToEnd(recurrence, at);
    const isByUs = ended?.status === 'cancelled' && !ended.endedBy?.startsWith('payer');
    // Somebody was faster.
    if (ended && !isByUs && ended.status !== 'unrecognised') {
      await record(recurrence.id, ended);
      return;
    }
    await changing(async (tx, become) => {
      const locked = await lockRecurrence(tx, recurrence.id);
      if (!locked || !canBecome(locked.status, 'expired')) return;
      await become(locked, { status: 'expired', endedAt: at, nextDebitOn: null, nextCheckAt: null });
    });
  }

  async function isOver({
    status,
    expiresAt,
    endDate,
    retries,
    firstPaymentId,
    ...tenant
  }: Recurrence): Promise<boolean> {
    const at = testClocks.nowIn(tenant);
    if (status === 'active') {
      const lastDay = endDate && lastDebitDay({ dueOn: endDate, mayRetry: retries !== 'none' });
      return lastDay !== null && at > endOfBrasiliaDay(lastDay);
    }
    if (status !== 'pending' || !isLastLook(expiresAt, at)) return false;
    // Banks may take a while to permit what was paid.
    const first = firstPaymentId === null ? undefined : await findPaymentById(db, firstPaymentId);
    const isPaid = first !== undefined && hasBeenPaid(first);
    return !isPaid || at.getTime() > expiresAt.getTime() + consentDelayMs;
  }

  return { lookUp, end, isOver, expire };
}
