import type { Database } from '../../persistence/database.ts';
import { findChargeAttempt } from '../../persistence/payments/settlement.ts';
import type { UnpaidAttempt } from '../../persistence/providers/sweeps.ts';
import type { Settlement } from './settlement.ts';

interface Dependencies {
  db: Database;
  settlement: Pick<Settlement, 'lookUpListed'>;
  now: () => Date;
}

const timeoutMs = 12_000;
const atOnce = 8;

/**
 * Looks up the charges of attempts that a list names. Those that fail do not hold up the others. What is left when the
 * time is up is neither confirmed nor failed.
 */
export const createConfirmListed =
  ({ db, settlement, now }: Dependencies) =>
  async (attempts: readonly UnpaidAttempt[]): Promise<{ failures: unknown[]; isTimeUp: boolean }> => {
    const left = [...attempts];
    const endsAtMs = now().getTime() + timeoutMs;
    const failures: unknown[] = [];
    async function confirmNext(): Promise<void> {
      while (now().getTime() < endsAtMs) {
        const listed = left.pop();
        if (listed === undefined) return;
        const attempt = await findChargeAttempt(db, listed.id);
        if (!attempt) continue;
        await settlement
          .lookUpListed(attempt, listed.pixReference)
          .catch((error: unknown) => failures.push(error));
      }
    }
    await Promise.all(Array.from({ length: atOnce }, confirmNext));
    return { failures, isTimeUp: left.length > 0 };
  };
