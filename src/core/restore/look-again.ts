import { bulkhead } from 'cockatiel';
import { correctableDays, daysBefore, yesterday } from '../books/rules/import-schedule.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { checkLeaseMs } from '../settlement/rules/check-schedule.ts';
import { hastenStatementDays } from '../books/store/statement-days.ts';
import type { Database } from '../../database/database.ts';
import { findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { hastenLookups, listUndecidedAttemptIds, type LiveCredential } from './store/lost-charges.ts';
import type { Settlement } from '../settlement/settlement.ts';

interface Dependencies {
  db: Database;
  settlement: Pick<Settlement, 'lookUpListed'>;
  now: () => Date;
}

const atOnce = 8;

/** Covers all of today, whose statement no worker reads before tomorrow. */
const paidLatelyMs = 24 * 3_600_000;

/**
 * Looks up a credential's pending payments, because one that was cancelled in the lost time would otherwise stay pending until
 * its expiry, and those paid lately, because their money may have been returned. Refunds, and the statements of earlier days,
 * are made due for the workers. Returns why not everything could be looked up; null if it could.
 */
export const createLookAgain = ({ db, settlement, now }: Dependencies) =>
  async function lookAgain(credential: LiveCredential, lostSince: Date): Promise<string | null> {
    const { id: credentialId, organizationId } = credential;
    const at = now();
    const unlessBefore = new Date(at.getTime() + checkLeaseMs);
    await hastenLookups(db, { credentialId, now: at, unlessBefore });
    const to = yesterday(at);
    const days = { from: daysBefore(to, correctableDays), to };
    const range = { organizationId, mode: 'live', credentialId, ...days } as const;
    await hastenStatementDays(db, range, { at, unlessBefore });

    const slots = bulkhead(atOnce, Infinity);
    let problem: string | null = null;
    async function lookUp(attemptId: string): Promise<void> {
      const attempt = problem === null ? await findChargeAttempt(db, attemptId) : undefined;
      if (!attempt) return;
      await settlement.lookUpListed(attempt).catch((error: unknown) => {
        if (!(error instanceof PspError)) throw error;
        problem = `not every payment could be looked up: ${error.message}`;
      });
    }
    const paidSince = new Date(lostSince.getTime() - paidLatelyMs);
    const ids = await listUndecidedAttemptIds(db, credential, paidSince);
    await Promise.all(ids.map((id) => slots.execute(() => lookUp(id))));
    return problem;
  };
