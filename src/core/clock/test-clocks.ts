import type { Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { allCallers, type CallerChanges } from '../base/caller-changes.ts';
import type { Mode } from '../base/mode.ts';
import { deleteTestClock, listTestClocks, moveTestClock } from './store/test-clocks.ts';

interface Tenant {
  organizationId: string;
  mode: Mode;
}

/**
 * The clock that payments go by. In live mode it is the real one. In test mode an organization can move its own forward; keys,
 * limits, sessions and leases never go by it.
 */
export interface TestClocks {
  nowIn(tenant: Tenant): Date;
  /** How far it is ahead of real time: 0 in live mode. */
  aheadMsOf(tenant: Tenant): number;
  /** Organizations with a clock of their own. */
  all(): string[];
  /** Moves it on this node alone, on its way to where `move` ends; never back. */
  step(organizationId: string, aheadMs: number): void;
  /** Never moves it back. */
  move(organizationId: string, aheadMs: number): Promise<void>;
  /** Returns to real time. */
  remove(organizationId: string): Promise<void>;
  /** Learns of those that exist; the others are announced. */
  load(): Promise<void>;
}

interface Dependencies {
  db: Database;
  callerChanges: CallerChanges;
  now: () => Date;
  logger: Logger;
}

const announced = 'test-clock';

export function createTestClocks({ db, callerChanges, now, logger }: Dependencies): TestClocks {
  let clocks: ReadonlyMap<string, number> = new Map();

  async function load(): Promise<void> {
    clocks = await listTestClocks(db);
  }

  callerChanges.subscribe((changed) => {
    if (changed !== announced && changed !== allCallers) return;
    load().catch((error: unknown) => {
      logger.warn({ error }, 'test clocks could not be read');
    });
  });

  const aheadMsOf = ({ organizationId, mode }: Tenant): number =>
    mode === 'test' ? (clocks.get(organizationId) ?? 0) : 0;

  return {
    aheadMsOf,
    nowIn: (tenant) => new Date(now().getTime() + aheadMsOf(tenant)),
    all: () => [...clocks.keys()],
    load,

    step(organizationId, aheadMs) {
      if (aheadMs > (clocks.get(organizationId) ?? 0)) clocks = new Map(clocks).set(organizationId, aheadMs);
    },

    async move(organizationId, aheadMs) {
      const ahead = await moveTestClock(db, organizationId, aheadMs);
      clocks = new Map(clocks).set(organizationId, ahead);
      await callerChanges.publish(announced);
    },

    async remove(organizationId) {
      await deleteTestClock(db, organizationId);
      await load();
      await callerChanges.publish(announced);
    },
  };
}
