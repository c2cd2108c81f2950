import type { Database } from '../../database/database.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { FirstPayments } from '../payments/first-payment.ts';
import { retryAfterMsOf } from '../providers/rules/psp-error.ts';
import { dueAgain, nextUnknownCheck } from '../settlement/rules/check-schedule.ts';
import { thenSchedule } from '../settlement/then-schedule.ts';
import type { DueDebits } from './due-debits.ts';
import type { RecurrenceFollowing } from './follow-recurrence.ts';
import { nextRecurrenceCheck } from './recurrence-schedule.ts';
import { isEnding, isOpen, type Recurrence } from './rules/recurrence.ts';
import { failCreation, findNextCheck, findRecurrenceById, scheduleRecurrence } from './store/recurrences.ts';

/** The due work on recurrences. */
export interface RecurrenceRunner {
  /** Looks at one, and makes the debit that is due. */
  run(id: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  following: RecurrenceFollowing;
  dueDebits: DueDebits;
  firstPayments: Pick<FirstPayments, 'failed'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

/** Five minutes, twenty, an hour and twenty minutes, and so on; the days that are left end it. */
const firstPauseMs = 5 * 60_000;
const longestPauseMs = 6 * 3_600_000;

export function createRecurrenceRunner(dependencies: Dependencies): RecurrenceRunner {
  const { db, following, dueDebits, firstPayments, testClocks } = dependencies;

  /** Nobody has its code, so nobody can permit it. */
  async function abandon({ id, firstPaymentId }: Recurrence): Promise<void> {
    const hasFailed = await failCreation(db, id);
    if (hasFailed && firstPaymentId !== null)
      await firstPayments.failed(firstPaymentId, 'the creation was abandoned', true);
  }

  async function step(recurrence: Recurrence): Promise<void> {
    if (recurrence.status === 'creating') return abandon(recurrence);
    if (!isOpen(recurrence)) return;
    const found = await following.lookUp(recurrence);
    if (isEnding(found)) await following.end(found);
    else if (await following.isOver(found)) await following.expire(found);
    else if (found.status === 'active') await dueDebits.make(found);
  }

  /** Each failure makes a payment that failed, so the next one waits longer. */
  async function nextTry(recurrence: Recurrence, at: Date): Promise<Date> {
    if (recurrence.endRequestedAt) return nextUnknownCheck(recurrence.endRequestedAt, at);
    const failures = await dueDebits.countFailed(recurrence);
    const pauseMs = firstPauseMs * 4 ** Math.max(0, failures - 1);
    return new Date(at.getTime() + Math.min(pauseMs, longestPauseMs));
  }

  return {
    async run(id) {
      const leasedUntil = await findNextCheck(db, id);
      const recurrence = await findRecurrenceById(db, id);
      if (!recurrence) return;
      await thenSchedule(step(recurrence), async (failure) => {
        const after = await findRecurrenceById(db, id);
        if (!after) return;
        const at = testClocks.nowIn(after);
        const next = nextRecurrenceCheck(after, at);
        const again = failure ? dueAgain(await nextTry(after, at), retryAfterMsOf(failure), at) : next;
        await scheduleRecurrence(db, id, { nextCheckAt: next && again, leasedUntil });
      });
    },
  };
}
