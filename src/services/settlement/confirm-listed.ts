import type { Database } from '../../persistence/database.ts';
import { findChargeAttempt } from '../../persistence/payments/settlement.ts';
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
  async (attemptIds: readonly string[]): Promise<{ failures: unknown[]; isTimeUp: boolean }> => {
    const left = [...attemptIds];
    const endsAtMs = now().getTime() + timeoutMs;
    const failures: unknown[] = [];
    async function confirmNext(): Promise<void> {
      while (now().getTime() < endsAtMs) {
        const id = left.pop();
        if (id === undefined) return;
        const attempt = await findChargeAttempt(db, id);
        if (attempt) await settlement.lookUpListed(attempt).catch((error: unknown) => failures.push(error));
      }
    }
    await Promise.all(Array.from({ length: atOnce }, confirmNext));
    return { failures, isTimeUp: left.length > 0 };
  };
