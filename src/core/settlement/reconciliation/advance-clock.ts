import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller } from '../../base/caller.ts';
import { ServiceError } from '../../base/errors.ts';
import { parseAdvance } from '../../clock/rules/advance.ts';
import type { TestClocks } from '../../clock/test-clocks.ts';
import type { RecurrenceRunner } from '../../recurrences/recurrence-runner.ts';
import type { DisputeRunner } from '../../disputes/dispute-runner.ts';
import type { Settlement } from '../settlement.ts';
import { claimNextTestChecks, type TestCheck } from '../store/test-checks.ts';

export const testClockSchema = z.object({
  now: z.iso.datetime().meta({ description: 'What the clock says.' }),
  isMoved: z.boolean().meta({ description: 'Whether it was moved; otherwise it is the real time.' }),
});

type TestClockView = z.output<typeof testClockSchema>;

/** The clock of an organization's test mode, and what happens while it is moved. Test keys only. */
export interface TestClockService {
  get(caller: Caller): TestClockView;
  /** Moves it forward. What falls due on the way happens before this returns, in its order. */
  advance(caller: Caller, body: unknown): Promise<TestClockView>;
  /** Returns to real time. What has happened stays. */
  remove(caller: Caller): Promise<TestClockView>;
  /** Does what has fallen due by the clocks that were moved. */
  catchUp(): Promise<void>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  testClocks: TestClocks;
  settlement: Pick<Settlement, 'checkPayment'>;
  recurrenceRunner: Pick<RecurrenceRunner, 'run'>;
  disputeRunner: Pick<DisputeRunner, 'run'>;
  now: () => Date;
  logger: Logger;
}

/** Those that are due at one time run side by side. */
const concurrency = 8;
const batchSize = 200;

export function createTestClockService(dependencies: Dependencies): TestClockService {
  const { db, audit, testClocks, settlement, recurrenceRunner, disputeRunner, now, logger } = dependencies;
  const runs: Record<TestCheck['kind'], (id: string) => Promise<void>> = {
    payment: (id) => settlement.checkPayment(id),
    recurrence: (id) => recurrenceRunner.run(id),
    dispute: (id) => disputeRunner.run(id),
  };
  /** One at a time for each organization on this node. */
  const running = new Map<string, Promise<void>>();

  const viewOf = ({ organizationId }: { organizationId: string }): TestClockView => {
    const tenant = { organizationId, mode: 'test' } as const;
    return { now: testClocks.nowIn(tenant).toISOString(), isMoved: testClocks.aheadMsOf(tenant) > 0 };
  };

  function assertInSandbox(caller: Caller): void {
    assertMay(caller, 'payments:simulate');
    if (caller.mode !== 'test')
      throw new ServiceError('test_mode_only', 'The sandbox accepts test keys only');
  }

  /** Stops at each minute in which something falls due, so that everything happens at its time. */
  async function runTo(organizationId: string, until: Date): Promise<void> {
    for (;;) {
      const due = await claimNextTestChecks(db, organizationId, until, batchSize);
      const latest = due.at(-1);
      if (!latest) return;
      testClocks.step(organizationId, latest.at.getTime() - now().getTime());
      const queue = due.values();
      const work = async () => {
        for (const { kind, id } of queue) await runs[kind](id);
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    }
  }

  async function moveTo(organizationId: string, target: Date): Promise<void> {
    const tenant = { organizationId, mode: 'test' } as const;
    try {
      await runTo(organizationId, target);
    } catch (error) {
      await testClocks.move(organizationId, testClocks.aheadMsOf(tenant));
      throw error;
    }
    await testClocks.move(organizationId, target.getTime() - now().getTime());
  }

  async function exclusively(organizationId: string, work: () => Promise<void>): Promise<void> {
    while (running.has(organizationId)) await running.get(organizationId)?.catch(() => undefined);
    const run = work().finally(() => running.delete(organizationId));
    running.set(organizationId, run);
    await run;
  }

  return {
    get(caller) {
      assertInSandbox(caller);
      return viewOf(caller);
    },

    async advance(caller, body) {
      assertInSandbox(caller);
      const { organizationId } = caller;
      const clock = testClocks.nowIn({ organizationId, mode: 'test' });
      const target = parseAdvance(body, { clock, now: now() });
      await audit.record(db, caller, 'test_clock.advance', organizationId, { to: target.toISOString() });
      await exclusively(organizationId, () => moveTo(organizationId, target));
      return viewOf(caller);
    },

    async remove(caller) {
      assertInSandbox(caller);
      const { organizationId } = caller;
      await exclusively(organizationId, () => testClocks.remove(organizationId));
      return viewOf(caller);
    },

    async catchUp() {
      for (const organizationId of testClocks.all()) {
        if (running.has(organizationId)) continue;
        const until = testClocks.nowIn({ organizationId, mode: 'test' });
        // One organization's trouble is not the others'.
        await exclusively(organizationId, () => runTo(organizationId, until)).catch((error: unknown) => {
          logger.warn({ error, organizationId }, 'what is due by a test clock waits');
        });
      }
    },
  };
}
