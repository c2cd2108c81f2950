import { leaseMs } from './rules/check-schedule.ts';
import type { Database } from '../../database/database.ts';
import { findChargeAttempt } from '../payments/store/payment-changes.ts';
import { lookupTimeoutMs } from './expiry.ts';
import type { Settlement } from './settlement.ts';

interface Dependencies {
  db: Database;
  settlement: Pick<Settlement, 'lookUpListed'>;
  now: () => Date;
}

/** A lookup that begins by then ends within the lease. */
const beginMs = leaseMs - lookupTimeoutMs - 2_000;
const atOnce = 8;

interface Confirmed {
  failures: unknown[];
  /** What is left is neither looked up nor failed. */
  isTimeUp: boolean;
}

/**
 * Looks up the charges of attempts that a statement names, within the lease of who began to read it at `startedAt`. Those that
 * fail do not hold up the others.
 */
export const createConfirmListed =
  ({ db, settlement, now }: Dependencies) =>
  async (attemptIds: readonly string[], startedAt: Date): Promise<Confirmed> => {
    // The order is another one each time, so that the same few that fail do not use up the time again.
    const left = attemptIds.toSorted(() => Math.random() - 0.5);
    const beginByMs = startedAt.getTime() + beginMs;
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
    await Promise.all(Array.from({ length: atOnce }, confirmNext));
    return { failures, isTimeUp: left.length > 0 };
  };
