import { dueAgain, nextUnknownCheck } from './rules/check-schedule.ts';
import { sweepPauseMs } from './rules/polling-pace.ts';
import { nextWindow } from './rules/sweep-schedule.ts';
import { createConfirmDebits } from './confirm-listed.ts';
import { patienceMs } from './rules/patience.ts';
import type { PspAdapter } from '../providers/rules/psp.ts';
import type { StatementPix } from '../providers/rules/psp-lists.ts';
import { PspError, retryAfterMsOf } from '../providers/rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { findFirstReceivedPix } from '../payments/store/received-pix.ts';
import {
  changeSweep,
  findListedCharge,
  findPendingSpan,
  findSweep,
  deleteListedCharge,
  insertListedCharges,
  scheduleListedCharge,
  type Sweep,
} from './store/sweeps.ts';
import type { Psps } from '../providers/psps.ts';
import type { UnmatchedPix } from './recording/unmatched-pix.ts';
import type { Settlement } from './settlement.ts';
import { thenSchedule } from './then-schedule.ts';

/** Reads what PSPs list as received, which takes fewer requests than asking about each pending payment. */
export interface Sweeper {
  /** Reads a page and has the charges on it looked up; returns whether there is more to read right away. */
  sweep(id: string): Promise<boolean>;
  /** Looks up a charge that a sweep has found. */
  lookUp(attemptId: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  psps: Psps;
  settlement: Pick<Settlement, 'lookUpListed'>;
  unmatchedPix: Pick<UnmatchedPix, 'newAmong' | 'tell'>;
  now: () => Date;
  logger: Logger;
}

/** Short enough to end within the lease. */
const listTimeoutMs = 12_000;
/** How long a charge may be listed as paid before its PSP says the same of the charge. */
const unreportedMs = 10 * 60_000;
/** How long a listed charge is tried again while its lookup fails. */
const failingMs = 24 * 3_600_000;

/** State of a sweep between two windows. */
const betweenWindows = { since: null, until: null, cursor: null, nextBookmark: null };

type OpenSweep = Sweep & { since: Date; until: Date };

interface Reading {
  listReceived: NonNullable<PspAdapter['listReceived']>;
  /** Creation of the newest pending payment, which sets the pace of the next sweep. */
  newestAt: Date;
}

export function createSweeper(dependencies: Dependencies): Sweeper {
  const { db, psps, settlement, unmatchedPix, now, logger } = dependencies;
  const confirmDebits = createConfirmDebits(dependencies);

  /** Undefined when another node has opened one meanwhile. */
  async function openWindow(sweep: Sweep, oldestPendingAt: Date): Promise<OpenSweep | undefined> {
    const { coveredUntil, since, until } = sweep;
    if (since && until) return { ...sweep, since, until };
    const window = nextWindow({ coveredUntil, oldestPendingAt }, now());
    // A node of 1.0 may have left a cursor behind.
    const opened = { ...window, cursor: null, nextBookmark: null };
    return (await changeSweep(db, sweep, opened)) ? { ...sweep, ...opened } : undefined;
  }

  /** What a debit may have paid that cannot be looked up now is left to the books. */
  async function isConfirmed(credentialId: string, pix: StatementPix): Promise<boolean> {
    try {
      if (pix.charge.transactionId === null) await confirmDebits(credentialId, pix);
      return true;
    } catch (error) {
      if (error instanceof PspError) return false;
      throw error;
    }
  }

  async function tellUnmatched(credentialId: string, pix: readonly StatementPix[]): Promise<void> {
    // The next sweep lists again what is too new to name its charge.
    const old = pix.filter(
      ({ charge, receivedAt }) =>
        charge.transactionId !== null || now().getTime() - receivedAt.getTime() > patienceMs,
    );
    for (const each of await unmatchedPix.newAmong(credentialId, old))
      if (await isConfirmed(credentialId, each)) await unmatchedPix.tell(credentialId, [each]);
  }

  async function readPage(sweep: OpenSweep, { listReceived, newestAt }: Reading): Promise<boolean> {
    const { credentialId, since, until, cursor, bookmark } = sweep;
    const page = await listReceived({ since, until, bookmark }, cursor, AbortSignal.timeout(listTimeoutMs));
    await insertListedCharges(db, credentialId, page.charges, now());
    await tellUnmatched(credentialId, page.pix ?? []);
    const nextBookmark = cursor === null ? page.bookmark : sweep.nextBookmark;
    if (page.nextCursor !== null)
      return changeSweep(db, sweep, { nextBookmark, cursor: page.nextCursor, nextCheckAt: now() });
    await changeSweep(db, sweep, {
      coveredUntil: until,
      bookmark: nextBookmark ?? bookmark,
      ...betweenWindows,
      nextCheckAt: new Date(now().getTime() + sweepPauseMs(now().getTime() - newestAt.getTime())),
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
        await changeSweep(db, found, { ...betweenWindows, nextCheckAt: null });
        return false;
      }
      const sweep = await openWindow(found, pending.oldestAt);
      if (!sweep) return false;
      try {
        return await readPage(sweep, { listReceived, newestAt: pending.newestAt });
      } catch (error) {
        const next = nextUnknownCheck(sweep.until, now());
        await changeSweep(db, sweep, { nextCheckAt: dueAgain(next, retryAfterMsOf(error), now()) });
        throw error;
      }
    },

    async lookUp(id) {
      const listed = await findListedCharge(db, id);
      const attempt = listed && (await findChargeAttempt(db, id));
      if (!attempt) return deleteListedCharge(db, id);
      const { paymentId, provider } = attempt;
      const look = settlement.lookUpListed(attempt, listed.pixReference ?? undefined);
      await thenSchedule(look, async (failure) => {
        const isRecorded = await findFirstReceivedPix(db, { id: paymentId, attemptId: id });
        const ageMs = now().getTime() - listed.listedAt.getTime();
        const isOver = ageMs > (failure ? failingMs : unreportedMs);
        if (isOver && !isRecorded)
          logger.error({ paymentId, provider }, 'a listed charge could not be confirmed');
        // Even if the payment is recorded, some details may be missing.
        if (isOver || (isRecorded && !failure)) return deleteListedCharge(db, id);
        const next = dueAgain(nextUnknownCheck(listed.listedAt, now()), retryAfterMsOf(failure), now());
        return scheduleListedCharge(db, id, next);
      });
    },
  };
}
