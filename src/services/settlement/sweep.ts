import { dueAgain, nextUnknownCheck } from '../../domain/time/check-schedule.ts';
import { sweepPauseMs } from '../../domain/time/polling-pace.ts';
import { nextWindow } from '../../domain/time/sweep-schedule.ts';
import { retryAfterMsOf } from '../../domain/providers/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../persistence/database.ts';
import {
  changeSweep,
  findPendingSpan,
  findSweep,
  findUnpaidAttempts,
  type Sweep,
} from '../../persistence/providers/sweeps.ts';
import { conditionsOf, type Psps } from '../providers/psps.ts';
import { createConfirmListed } from './confirm-listed.ts';
import type { Settlement } from './settlement.ts';

/** Reads what PSPs list as received, instead of asking about each pending payment. */
export interface Sweeper {
  /** Reads a page and confirms what it names; returns whether there is more to read right away. */
  sweep(id: string): Promise<boolean>;
}

interface Dependencies {
  db: Database;
  psps: Psps;
  settlement: Pick<Settlement, 'lookUpListed'>;
  now: () => Date;
  logger: Logger;
}

/** With the confirmation of what a page names it takes less than the lease. */
const listTimeoutMs = 12_000;
/** After this long, a charge that cannot be confirmed holds up the others no more: its expiry decides. */
const patienceMs = 10 * 60_000;

/** No window is at work. */
const between = { since: null, until: null, cursor: null, nextBookmark: null };

interface Window {
  since: Date;
  until: Date;
}

interface Work {
  window: Window;
  /** Of the newest pending payment: the next sweep is for it. */
  ageMs: number;
}

export function createSweeper({ db, psps, settlement, now, logger }: Dependencies): Sweeper {
  const confirm = createConfirmListed({ db, settlement, now });

  /** Undefined when no payment is pending. */
  async function workOf({ id, credentialId, coveredUntil, since, until }: Sweep): Promise<Work | undefined> {
    const pending = await findPendingSpan(db, credentialId);
    if (!pending) return undefined;
    const ageMs = now().getTime() - pending.newestAt.getTime();
    if (since && until) return { window: { since, until }, ageMs };
    const window = nextWindow({ coveredUntil, oldestPendingAt: pending.oldestAt }, now());
    await changeSweep(db, id, window);
    return { window, ageMs };
  }

  async function readPage(sweep: Sweep): Promise<boolean> {
    const { id, provider, credentialId, cursor, bookmark } = sweep;
    const connection = await psps.live({ provider, credentialId });
    const adapter = connection?.polling.sweep;
    const work = adapter?.listReceived && (await workOf(sweep));
    if (!connection || !adapter?.listReceived || !work) {
      await changeSweep(db, id, { ...between, nextCheckAt: null });
      return false;
    }
    const { window, ageMs } = work;
    const signal = AbortSignal.timeout(listTimeoutMs);
    const page = await adapter.listReceived({ ...window, bookmark }, cursor, signal);
    const listed = await findUnpaidAttempts(db, credentialId, page.charges);
    const { failures, lookedUp, isTimeUp } = await confirm(listed);
    // Without progress it fails instead, and backs off.
    if (isTimeUp && (lookedUp > 0 || failures.length === 0)) {
      await changeSweep(db, id, { nextCheckAt: now() });
      return true;
    }
    if (failures.length > 0) {
      if (now().getTime() - window.until.getTime() < patienceMs) throw failures[0];
      logger.error(
        { provider, credentialId, count: failures.length },
        'listed charges could not be confirmed',
      );
    }
    const nextBookmark = cursor === null ? page.bookmark : sweep.nextBookmark;
    if (page.nextCursor !== null) {
      await changeSweep(db, id, { nextBookmark, cursor: page.nextCursor, nextCheckAt: now() });
      return true;
    }
    await changeSweep(db, id, {
      coveredUntil: window.until,
      bookmark: nextBookmark ?? bookmark,
      ...between,
      nextCheckAt: new Date(now().getTime() + sweepPauseMs(ageMs, conditionsOf(connection), now())),
    });
    return false;
  }

  return {
    async sweep(id) {
      const sweep = await findSweep(db, id);
      if (!sweep) return false;
      try {
        return await readPage(sweep);
      } catch (error) {
        const next = nextUnknownCheck(sweep.until ?? now(), now());
        await changeSweep(db, id, { nextCheckAt: dueAgain(next, retryAfterMsOf(error), now()) });
        throw error;
      }
    },
  };
}
