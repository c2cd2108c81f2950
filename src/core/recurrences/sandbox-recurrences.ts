import type { Database } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { SandboxAccount } from '../sandbox/rules/sandbox-account.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { RecurrenceRunner } from './recurrence-runner.ts';
import type { Recurrence, RecurrenceStatus } from './rules/recurrence.ts';
import { findRecurrence } from './store/recurrences.ts';
import { recurrenceView, type RecurrenceView } from './views/recurrence-view.ts';

/** Simulates the payer of a recurrence at the built-in PSP. Test mode only. */
export interface SandboxRecurrenceService {
  /** Permits a pending one, and pays its first payment. */
  approve(caller: Caller, id: string): Promise<RecurrenceView>;
  reject(caller: Caller, id: string): Promise<RecurrenceView>;
  /** Ends an active one. */
  revoke(caller: Caller, id: string): Promise<RecurrenceView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'showRecurrence'>;
  sandbox: Pick<SandboxAccount, 'approveRecurrence' | 'endRecurrence'>;
  runner: RecurrenceRunner;
  settlement: Pick<Settlement, 'checkPayment'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

export function createSandboxRecurrenceService(dependencies: Dependencies): SandboxRecurrenceService {
  const { db, audit, payerViews, sandbox, runner, settlement, testClocks } = dependencies;

  async function find(caller: Caller, id: string): Promise<Recurrence> {
    const recurrence = isUuid(id) ? await findRecurrence(db, caller, id.toLowerCase()) : undefined;
    if (!recurrence) throw notFound('Recurrence', id);
    return recurrence;
  }

  async function simulate(
    caller: Caller,
    id: string,
    from: RecurrenceStatus,
    act: (reference: string) => Promise<void>,
  ): Promise<RecurrenceView> {
    assertMay(caller, 'payments:simulate');
    if (caller.mode !== 'test')
      throw new ServiceError('test_mode_only', 'The sandbox accepts test keys only');
    const { status, reference, id: recurrenceId, firstPaymentId } = await find(caller, id);
    if (status !== from || reference === null)
      throw new ServiceError('recurrence_not_active', `The recurrence is ${status}, not ${from}`);
    await audit.record(db, caller, 'recurrence.simulate', recurrenceId);
    await act(reference);
    await runner.run(recurrenceId);
    if (firstPaymentId !== null) await settlement.checkPayment(firstPaymentId);
    return payerViews.showRecurrence(caller, recurrenceView(await find(caller, id)));
  }

  return {
    approve: (caller, id) =>
      simulate(caller, id, 'pending', (reference) =>
        sandbox.approveRecurrence(reference, testClocks.nowIn(caller)),
      ),
    reject: (caller, id) =>
      simulate(caller, id, 'pending', (reference) => sandbox.endRecurrence(reference, 'rejected')),
    revoke: (caller, id) =>
      simulate(caller, id, 'active', (reference) => sandbox.endRecurrence(reference, 'cancelled')),
  };
}
