import type { Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { findChargeAttempt } from '../payments/store/charge-attempts.ts';
import type { Psps } from '../providers/psps.ts';
import type { ListedDispute } from '../providers/rules/psp-lists.ts';
import { retryAfterMsOf } from '../providers/rules/psp-error.ts';
import { dueAgain, nextUnknownCheck } from '../settlement/rules/check-schedule.ts';
import { claimsAfter } from '../settlement/rules/listed-claims.ts';
import type { Settlement } from '../settlement/settlement.ts';
import {
  changeDisputeSweep,
  type ClaimedPix,
  type DisputeSweep,
  findClaimedPix,
  findDisputeSweep,
  insertDisputeSweeps,
} from './store/dispute-sweeps.ts';

/** Reads the claims that providers list, where their charges do not tell of them. */
export interface DisputeSweeper {
  /** Schedules the lists of credentials that are new. Returns how many. */
  plan(): Promise<number>;
  /** Reads a page and records what is new on it; returns whether there is more to read right away. */
  sweep(credentialId: string): Promise<boolean>;
}

interface Dependencies {
  db: Database;
  psps: Pick<Psps, 'live'>;
  settlement: Pick<Settlement, 'lookUpClaimed'>;
  now: () => Date;
  logger: Logger;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A payer can claim for 80 days (Manual Operacional do DICT, "Prazos"), and a claim is decided within eleven. */
const windowMs = 100 * dayMs;
const listTimeoutMs = 10_000;
/** A lookup that starts within this time ends within the lease. */
const lookUpWithinMs = 14_000;

export function createDisputeSweeper(dependencies: Dependencies): DisputeSweeper {
  const { db, psps, settlement, now, logger } = dependencies;
  const inMs = (pauseMs: number) => new Date(now().getTime() + pauseMs);

  /** A failure holds up no other claim: the next list has it again. */
  async function record(
    { createdAt: followedSince }: DisputeSweep,
    { attemptId, paymentId, amountInCents, known }: ClaimedPix,
    listed: readonly ListedDispute[],
  ): Promise<void> {
    const claims = claimsAfter(listed, { known, amountInCents, followedSince });
    const attempt = claims && (await findChargeAttempt(db, attemptId));
    if (!attempt) return;
    await settlement.lookUpClaimed(attempt, claims).catch((error: unknown) => {
      logger.warn({ paymentId, error }, 'a listed claim could not be recorded yet');
    });
  }

  /** Returns false if time was up before all were recorded. */
  async function recordAll(sweep: DisputeSweep, disputes: readonly ListedDispute[]): Promise<boolean> {
    const endMs = now().getTime() + lookUpWithinMs;
    const endToEndIds = disputes.map(({ endToEndId }) => endToEndId);
    for (const pix of await findClaimedPix(db, sweep, endToEndIds)) {
      if (now().getTime() >= endMs) return false;
      await record(
        sweep,
        pix,
        disputes.filter(({ endToEndId }) => endToEndId === pix.endToEndId),
      );
    }
    return true;
  }

  return {
    plan: () => insertDisputeSweeps(db, now()),

    async sweep(credentialId) {
      const found = await findDisputeSweep(db, credentialId);
      if (!found) return false;
      const connection = await psps.live({ provider: found.provider, credentialId });
      const list = connection?.polling.sweep.listDisputes;
      if (!list) {
        // Its settings may change.
        await changeDisputeSweep(db, found, { until: null, cursor: null, nextCheckAt: inMs(dayMs) });
        return false;
      }
      const until = found.until ?? now();
      const window = { since: new Date(until.getTime() - windowMs), until };
      try {
        const page = await list(window, found.cursor, AbortSignal.timeout(listTimeoutMs));
        if (!(await recordAll(found, page.disputes))) {
          // Read again, what is known by then is passed over.
          await changeDisputeSweep(db, found, { nextCheckAt: now() });
          return true;
        }
        const isMore = page.nextCursor !== null;
        await changeDisputeSweep(db, found, {
          until: isMore ? until : null,
          cursor: page.nextCursor,
          nextCheckAt: isMore ? now() : inMs(hourMs),
        });
        return isMore;
      } catch (error) {
        const next = dueAgain(nextUnknownCheck(until, now()), retryAfterMsOf(error), now());
        await changeDisputeSweep(db, found, { until, nextCheckAt: next });
        throw error;
      }
    },
  };
}
