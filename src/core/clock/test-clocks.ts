import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { allCallers, type CallerChanges } from '../base/caller-changes.ts';
import { ServiceError } from '../base/errors.ts';
import type { Mode } from '../base/mode.ts';
import {
  deleteTestClock,
  holdTestClock,
  listTestClocks,
  moveTestClock,
  releaseTestClock,
} from './store/test-clocks.ts';

interface Tenant {
  organizationId: string;
  mode: Mode;
}

/** A clock that nobody else moves. Its functions fail with `test_clock_moving` once somebody else took it over. */
export interface HeldClock {
  /** Never moves it back. */
  move(aheadMs: number): Promise<void>;
  /** Returns to real time. */
  remove(): Promise<void>;
}

/**
 * The clock that payments go by. In live mode it is the real one. In test mode an organization can move its own forward; keys,
 * limits, sessions and leases never go by it. The database has the clocks; each node keeps what it read of them last.
 */
export interface TestClocks {
  nowIn(tenant: Tenant): Date;
  /** How far it is ahead of real time: 0 in live mode. */
  aheadMsOf(tenant: Tenant): number;
  /** Organizations with a clock of their own. */
  all(): string[];
  /**
   * Runs `work` while no node moves the organization's clock otherwise, and knows by then what it says. Waits for others, at
   * most `waitMs`, and fails with `test_clock_moving` then.
   */
  hold(organizationId: string, waitMs: number, work: (clock: HeldClock) => Promise<void>): Promise<void>;
  /** Reads them. Changes are announced, but an announcement can be lost. */
  load(): Promise<void>;
}

interface Dependencies {
  db: Database;
  callerChanges: CallerChanges;
  now: () => Date;
  logger: Logger;
}

const announced = 'test-clock';
const renewMs = 5_000;
const longestPauseMs = 250;

const moving = (message: string) => new ServiceError('test_clock_moving', message, { retryAfterSeconds: 1 });

export function createTestClocks({ db, callerChanges, now, logger }: Dependencies): TestClocks {
  let clocks = new Map<string, number>();
  /** Those that this node has learned of since the read that is under way began, which may have seen them before. */
  const learned = new Set<string>();
  let reading: Promise<void> = Promise.resolve();
  let nextRead: Promise<void> | undefined;

  function learn(organizationId: string, aheadMs: number): void {
    clocks.set(organizationId, aheadMs);
    learned.add(organizationId);
  }

  async function read(): Promise<void> {
    learned.clear();
    const stored = await listTestClocks(db);
    for (const organizationId of learned) stored.set(organizationId, clocks.get(organizationId) ?? 0);
    clocks = stored;
  }

  /** One after another, so that an older read never replaces what a newer one has found. */
  function load(): Promise<void> {
    nextRead ??= reading = reading
      .catch(() => undefined)
      .then(() => {
        nextRead = undefined;
        return read();
      });
    return nextRead;
  }

  callerChanges.subscribe((changed) => {
    if (changed !== announced && changed !== allCallers) return;
    load().catch((error: unknown) => {
      logger.warn({ error }, 'test clocks could not be read');
    });
  });

  const aheadMsOf = ({ organizationId, mode }: Tenant): number =>
    mode === 'test' ? (clocks.get(organizationId) ?? 0) : 0;

  async function take(holder: { organizationId: string; heldBy: string }, waitMs: number): Promise<void> {
    const giveUpAt = performance.now() + waitMs;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const aheadMs = await holdTestClock(db, holder);
      if (aheadMs !== undefined) {
        learn(holder.organizationId, aheadMs);
        return;
      }
      if (performance.now() >= giveUpAt)
        throw moving('The clock is being moved by another request: wait until it has arrived');
      await delay(pauseMs);
    }
  }

  return {
    aheadMsOf,
    nowIn: (tenant) => new Date(now().getTime() + aheadMsOf(tenant)),
    all: () => [...clocks].filter(([, aheadMs]) => aheadMs > 0).map(([organizationId]) => organizationId),
    load,

    async hold(organizationId, waitMs, work) {
      const holder = { organizationId, heldBy: randomUUID() };
      await take(holder, waitMs);
      let hasChanged = false;

      function know(aheadMs: number | undefined): void {
        if (aheadMs === undefined)
          throw moving('Another request moved the clock meanwhile: what has happened stays');
        hasChanged ||= aheadMs !== clocks.get(organizationId);
        learn(organizationId, aheadMs);
      }

      // A step may take longer than the hold lasts.
      const renewing = setInterval(() => {
        moveTestClock(db, holder, 0).catch((error: unknown) => {
          logger.warn({ error, organizationId }, 'the hold of a test clock was not renewed');
        });
      }, renewMs).unref();
      try {
        await work({
          move: async (aheadMs) => {
            know(await moveTestClock(db, holder, Math.round(aheadMs)));
          },
          remove: async () => {
            know((await deleteTestClock(db, holder)) ? 0 : undefined);
          },
        });
      } finally {
        clearInterval(renewing);
        await releaseTestClock(db, holder).catch((error: unknown) => {
          logger.warn({ error, organizationId }, 'the hold of a test clock ends by itself');
        });
        if (hasChanged) await callerChanges.publish(announced);
      }
    },
  };
}
