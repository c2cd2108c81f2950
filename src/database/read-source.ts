import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, Unavailable } from '../core/base/errors.ts';
import type { Database } from './database.ts';
import { gather } from './gather.ts';

/** For reads that need not see what other transactions are about to write. */
export interface ReadSource {
  /** `work` must only read, and may run twice. It sees everything committed before this call. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
}

export const fromPrimary = (db: Database): ReadSource => ({ read: (work) => work(db) });

const patienceMs = 200;
const lookAgainAfterMs = 10;
/** How long a replica is left alone after it was too slow or failed. */
const restMs = 1_000;

interface Replicated {
  primary: Database;
  replica: Database;
  /** Called when reads move to the primary, and when they are back. */
  onLost(error: unknown): void;
  onRecovered(): void;
}

/**
 * Reads from the replica once it has what the primary has, which is soon, and otherwise from the primary. A caller thus reads
 * what it has written, through whichever node it wrote it.
 */
export function fromReplica({ primary, replica, onLost, onRecovered }: Replicated): ReadSource {
  let restsUntilMs = 0;
  let isLost = false;

  const positionOf = gather(
    async (reads: readonly undefined[]) => {
      const [row] = await primary.$queryRaw<{ lsn: string }[]>`SELECT pg_current_wal_lsn()::text AS lsn`;
      return reads.map(() => row?.lsn ?? '');
    },
    { onlyReads: true },
  );

  async function hasReplayed(lsn: string): Promise<boolean> {
    const [row] = await replica.$queryRaw<{ isThere: boolean | null }[]>`
      SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn AS "isThere"`;
    return row?.isThere === true;
  }

  async function catchUp(lsn: string): Promise<void> {
    const giveUpAtMs = performance.now() + patienceMs;
    while (!(await hasReplayed(lsn))) {
      if (performance.now() > giveUpAtMs) throw new Error(`the replica is more than ${patienceMs} ms behind`);
      await delay(lookAgainAfterMs);
    }
  }

  function rest(error: unknown): void {
    restsUntilMs = performance.now() + restMs;
    if (!isLost) onLost(error);
    isLost = true;
  }

  /** A caller's mistake, or a read that takes too long, would be the same at the primary. */
  const isFinal = (error: unknown): boolean =>
    error instanceof ServiceError || (error instanceof Unavailable && error.reason === 'slow');

  return {
    async read(work) {
      if (performance.now() < restsUntilMs) return work(primary);
      const lsn = await positionOf(undefined);
      try {
        await catchUp(lsn);
        const result = await work(replica);
        if (isLost) onRecovered();
        isLost = false;
        return result;
      } catch (error) {
        if (isFinal(error)) throw error;
        rest(error);
        return work(primary);
      }
    },
  };
}
