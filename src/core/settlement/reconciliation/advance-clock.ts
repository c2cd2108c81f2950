import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller } from '../../base/caller.ts';
import { ServiceError } from '../../base/errors.ts';
import { parseAdvance, targetOf } from '../../clock/rules/advance.ts';
import type { HeldClock, TestClocks } from '../../clock/test-clocks.ts';
import type { RecurrenceRunner } from '../../recurrences/recurrence-runner.ts';
import type { DisputeRunner } from '../../disputes/dispute-runner.ts';
import type { Settlement } from '../settlement.ts';
import { claimNextTestChecks, findDueTestClocks, type TestCheck } from '../store/test-checks.ts';

export const testClockSchema = z.object({
  now: z.iso.datetime().meta({ description: 'What the clock says.' }),
  isMoved: z.boolean().meta({ description: 'Whether it was moved; otherwise it is the real time.' }),
});

type TestClockView = z.output<typeof testClockSchema>;

/** The clock of an organization's test mode, and what happens while it is moved. Test keys only. */
export interface TestClockService {
  /** What it says on whichever node moved it last. */
  get(caller: Caller): Promise<TestClockView>;
  /** Moves it forward. What falls due on the way happens before this returns, in its order. */
  advance(caller: Caller, body: unknown): Promise<TestClockView>;
  /** Returns to real time. What has happened stays. */
  remove(caller: Caller): Promise<TestClockView>;
  /** Does what has fallen due by the clocks that were moved. */
  catchUp(): Promise<void>;
  /** Learns of what other nodes did with the clocks. */
  learn(): Promise<void>;
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
/** What a request waits for others that move the same clock. */
const waitMs = 20_000;

export function createTestClockService(dependencies: Dependencies): TestClockService {
  const { db, audit, testClocks, settlement, recurrenceRunner, disputeRunner, now, logger } = dependencies;
  const runs: Record<TestCheck['kind'], (id: string) => Promise<void>> = {
    payment: (id) => settlement.checkPayment(id),
    recurrence: (id) => recurrenceRunner.run(id),
    dispute: (id) => disputeRunner.run(id),
  };
  const tenantOf = (organizationId: string) => ({ organizationId, mode: 'test' }) as const;

  const viewOf = ({ organizationId }: { organizationId: string }): TestClockView => {
    const tenant = tenantOf(organizationId);
    return { now: testClocks.nowIn(tenant).toISOString(), isMoved: testClocks.aheadMsOf(tenant) > 0 };
  };

  function assertInSandbox(caller: Caller): void {
    assertMay(caller, 'payments:simulate');
    if (caller.mode !== 'test')
      throw new ServiceError('test_mode_only', 'The sandbox accepts test keys only');
  }

  /**
   * Stops at each minute in which something falls due, so that everything happens at its time, and stores that first: if this
   * node dies, the clock is where the world is.
   */
  async function runTo(clock: HeldClock, organizationId: string, until: Date): Promise<void> {
    for (;;) {
      const due = await claimNextTestChecks(db, organizationId, until, batchSize);
      const latest = due.at(-1);
      if (!latest) return;
      await clock.move(latest.at.getTime() - now().getTime());
      const queue = due.values();
      const work = async () => {
        for (const { kind, id } of queue) await runs[kind](id);
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    }
  }

  async function catchUpWith(organizationId: string): Promise<void> {
    await testClocks.hold(organizationId, 0, (clock) =>
      runTo(clock, organizationId, testClocks.nowIn(tenantOf(organizationId))),
    );
  }

  return {
    async get(caller) {
      assertInSandbox(caller);
      await testClocks.load();
      return viewOf(caller);
    },

    async advance(caller, body) {
      assertInSandbox(caller);
      const { organizationId } = caller;
      const wanted = parseAdvance(body);
      await testClocks.hold(organizationId, waitMs, async (clock) => {
        const target = targetOf(wanted, { clock: testClocks.nowIn(tenantOf(organizationId)), now: now() });
        await audit.record(db, caller, 'test_clock.advance', organizationId, { to: target.toISOString() });
        await runTo(clock, organizationId, target);
        await clock.move(target.getTime() - now().getTime());
      });
      return viewOf(caller);
    },

    async remove(caller) {
      assertInSandbox(caller);
      await testClocks.hold(caller.organizationId, waitMs, (clock) => clock.remove());
      return viewOf(caller);
    },

    learn: testClocks.load,

    async catchUp() {
      const clocks = testClocks.all().map((organizationId) => ({
        organizationId,
        now: testClocks.nowIn(tenantOf(organizationId)),
      }));
      if (clocks.length === 0) return;
      for (const organizationId of await findDueTestClocks(db, clocks)) {
        // One organization's trouble is not the others'.
        await catchUpWith(organizationId).catch((error: unknown) => {
          if (error instanceof ServiceError && error.code === 'test_clock_moving') return;
          logger.warn({ error, organizationId }, 'what is due by a test clock waits');
        });
      }
    },
  };
}
