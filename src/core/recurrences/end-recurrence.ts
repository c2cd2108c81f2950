import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { notFound } from '../base/errors.ts';
import { reaisFromCents } from '../base/money.ts';
import type { Queryable } from '../../database/database.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { endingsWait, type GuardedChange } from '../people/approvals/approval-gate.ts';
import { checkLeaseMs } from '../settlement/rules/check-schedule.ts';
import { isEnding, isOpen, type Recurrence } from './rules/recurrence.ts';
import { changeRecurrence, findRecurrenceById, lockRecurrence } from './store/recurrences.ts';

export interface RecurrenceToEnd {
  recurrenceId: string;
}

interface Dependencies {
  audit: { record: RecordAudit };
  testClocks: Pick<TestClocks, 'nowIn'>;
}

/** The decision that a recurrence ends. Its provider is asked afterwards, by the runner if this process dies. */
export function createRecurrenceEnding({
  audit,
  testClocks,
}: Dependencies): GuardedChange<RecurrenceToEnd, Recurrence> {
  async function lock(tx: Queryable, { organizationId }: Caller, { recurrenceId }: RecurrenceToEnd) {
    const recurrence = await lockRecurrence(tx, recurrenceId);
    if (recurrence?.organizationId !== organizationId) throw notFound('Recurrence', recurrenceId);
    return recurrence;
  }

  const isUndecided = (recurrence: Recurrence): boolean => isOpen(recurrence) && !isEnding(recurrence);

  return {
    action: 'recurrence.cancel',
    isAskedOnce: true,

    async waits(tx, caller, { recurrenceId }) {
      if (!(await endingsWait(tx, caller))) return false;
      const recurrence = await findRecurrenceById(tx, recurrenceId);
      return recurrence !== undefined && isUndecided(recurrence);
    },

    async describe(tx, caller, change) {
      const { id, status, amountInCents, frequency, startDate } = await lock(tx, caller, change);
      const debitAmount = amountInCents === null ? null : reaisFromCents(amountInCents);
      const before = { status, debitAmount, frequency, startDate };
      return { subject: id, before, after: { ...before, status: 'cancelled' } };
    },

    async apply(tx, caller, change) {
      const recurrence = await lock(tx, caller, change);
      if (!isUndecided(recurrence)) return recurrence;
      const at = testClocks.nowIn(recurrence);
      await audit.record(tx, caller, 'recurrence.cancel', recurrence.id);
      // Until then, whoever decided asks.
      const nextCheckAt = new Date(at.getTime() + checkLeaseMs);
      return changeRecurrence(tx, recurrence.id, { endRequestedAt: at, nextDebitOn: null, nextCheckAt });
    },
  };
}
