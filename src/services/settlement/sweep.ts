import { dueAgain, nextUnknownCheck } from '../../domain/time/check-schedule.ts';
import { sweepPauseMs } from '../../domain/time/polling-pace.ts';
import { nextWindow } from '../../domain/time/sweep-schedule.ts';
import type { PspAdapter } from '../../domain/providers/psp.ts';
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
import { conditionsOf, type PspConnection, type Psps } from '../providers/psps.ts';
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

/** Leaves time to confirm what a page names within the lease. */
const listTimeoutMs = 12_000;
/** After this long, a charge that cannot be confirmed holds up the others no more: its expiry decides. */
const patienceMs = 10 * 60_000;

/** No window is at work. */
const between = { since: null, until: null, cursor: null, nextBookmark: null };

type OpenSweep = Sweep & { since: Date; until: Date };

interface Reading {
  connection: PspConnection;
  listReceived: NonNullable<PspAdapter['listReceived']>;
  /** Creation of the newest pending payment: the next sweep is for it. */
  newestAt: Date;
}

export function createSweeper({ db, psps, settlement, now, logger }: Dependencies): Sweeper {
  const confirm = createConfirmListed({ db, settlement, now });

  /** Undefined when another node has opened one. */
  async function openWindow(sweep: Sweep, oldestPendingAt: Date): Promise<OpenSweep | undefined> {
    const { coveredUntil, since, until } = sweep;
    if (since && until) return { ...sweep, since, until };
    const window = nextWindow({ coveredUntil, oldestPendingAt }, now());
    // A node of 1.0 may have left a cursor behind.
    const opened = { ...window, cursor: null, nextBookmark: null };
    return (await changeSweep(db, sweep, opened)) ? { ...sweep, ...opened } : undefined;
  }

  async function readPage(
    sweep: OpenSweep,
    { connection, listReceived, newestAt }: Reading,
  ): Promise<boolean> {
    const { provider, credentialId, since, until, cursor, bookmark } = sweep;
    const startedAt = now();
    const page = await listReceived({ since, until, bookmark }, cursor, AbortSignal.timeout(listTimeoutMs));
    const listed = await findUnpaidAttempts(db, credentialId, page.charges);
    const { failures, isTimeUp } = await confirm(listed, startedAt);
    if (isTimeUp) {
      const left = await findUnpaidAttempts(db, credentialId, page.charges);
      if (left.length < listed.length) return changeSweep(db, sweep, { nextCheckAt: now() });
      // Without progress it backs off: a Pix of another amount is never recorded, however often its charge is looked up.
      failures.push(new Error('no listed charge could be confirmed in time'));
    }
    if (failures.length > 0) {
      if (now().getTime() - until.getTime() < patienceMs) throw failures[0];
      logger.error(
        { provider, credentialId, count: failures.length },
        'listed charges could not be confirmed',
      );
    }
    const nextBookmark = cursor === null ? page.bookmark : sweep.nextBookmark;
    if (page.nextCursor !== null)
      return changeSweep(db, sweep, { nextBookmark, cursor: page.nextCursor, nextCheckAt: now() });
    const ageMs = now().getTime() - newestAt.getTime();
    await changeSweep(db, sweep, {
      coveredUntil: until,
      bookmark: nextBookmark ?? bookmark,
      ...between,
      nextCheckAt: new Date(now().getTime() + sweepPauseMs(ageMs, conditionsOf(connection), now())),
    });
    return false;
  }

  return {
    async sweep(id) {
      const found = await findSweep(db, id);
      if (!found) return false;
      const { provider, credentialId } = found;
      const connection = await psps.live({ provider, credentialId });
      const listReceived = connection?.polling.sweep.listReceived;
      const pending = listReceived && (await findPendingSpan(db, credentialId));
      if (!connection || !listReceived || !pending) {
        await changeSweep(db, found, { ...between, nextCheckAt: null });
        return false;
      }
      const sweep = await openWindow(found, pending.oldestAt);
      if (!sweep) return false;
      try {
        return await readPage(sweep, { connection, listReceived, newestAt: pending.newestAt });
      } catch (error) {
        const next = nextUnknownCheck(sweep.until, now());
        await changeSweep(db, sweep, { nextCheckAt: dueAgain(next, retryAfterMsOf(error), now()) });
        throw error;
      }
    },
  };
}
