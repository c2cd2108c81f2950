import { checkLeaseMs } from './rules/check-schedule.ts';
import type { Database } from '../../database/database.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { addDays } from '../base/time/calendar-day.ts';
import { findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { listPendingAttempts } from '../payments/store/debits.ts';
import type { StatementPix } from '../providers/rules/psp-lists.ts';
import { lookupTimeoutMs } from './expiry.ts';
import type { Settlement } from './settlement.ts';

interface Dependencies {
  db: Database;
  settlement: Pick<Settlement, 'lookUpListed'>;
  now: () => Date;
}

/** A lookup that starts within this time ends within the lease. */
const beginWithinMs = checkLeaseMs - lookupTimeoutMs - 2_000;
const lookupsAtOnce = 8;

function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item);
}

interface Confirmed {
  failures: unknown[];
  /** Whatever is left was neither looked up nor failed. */
  isTimeUp: boolean;
}

/**
 * Looks up the charges of attempts that a statement names, within the lease that its reader took at `startedAt`. A failed
 * lookup does not hold up the others.
 */
export const createConfirmListed =
  ({ db, settlement, now }: Dependencies) =>
  async (attemptIds: readonly string[], startedAt: Date): Promise<Confirmed> => {
    // Shuffled, so that a few that keep failing do not use up the time in every round.
    const left = shuffled(attemptIds);
    const beginByMs = startedAt.getTime() + beginWithinMs;
    const failures: unknown[] = [];
    async function confirmNext(): Promise<void> {
      while (now().getTime() < beginByMs) {
        const id = left.pop();
        if (id === undefined) return;
        const attempt = await findChargeAttempt(db, id);
        if (!attempt) continue;
        try {
          await settlement.lookUpListed(attempt);
        } catch (error) {
          failures.push(error);
        }
      }
    }
    await Promise.all(Array.from({ length: lookupsAtOnce }, confirmNext));
    return { failures, isTimeUp: left.length > 0 };
  };

/** From its day on, a debit is tried again for a week, and takes a day to be answered. */
const daysOfDebit = 8;
const mostDebits = 20;

/**
 * Looks up the debits that a Pix may have paid of which its provider names no charge: some name none of a debit. Fails if a provider
 * does not respond.
 */
export function createConfirmDebits(dependencies: Dependencies) {
  const { db, now } = dependencies;
  const confirm = createConfirmListed(dependencies);
  return async (credentialId: string, { amountInCents, receivedAt }: StatementPix): Promise<void> => {
    const day = brasiliaDay(receivedAt);
    const days = { from: addDays(day, -daysOfDebit), to: addDays(day, 1) };
    const ids = await listPendingAttempts(db, credentialId, { amountInCents, ...days, limit: mostDebits });
    const [failure] = (await confirm(ids, now())).failures;
    if (failure) throw failure;
  };
}
