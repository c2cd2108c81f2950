import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export interface Patience {
  /** How long a migration keeps trying for a lock that others hold. */
  patienceMs: number;
  /** Told what a migration waits for, each time it has stepped back. */
  onWait: (reason: string) => void;
}

/**
 * While a migration waits for a lock, whoever reads the table waits behind it. Longer than PostgreSQL's
 * `deadlock_timeout` of a second, after which an autovacuum makes way.
 * https://www.postgresql.org/docs/current/routine-vacuuming.html#AUTOVACUUM
 */
const lockTimeoutMs = 2_000;
const askAfterMs = 1_500;
const longestPauseMs = 10_000;
const [lockNotAvailable, deadlockDetected] = ['55P03', '40P01'];

/** Builds and drops indexes without locking out readers and writers, and lets them pass while it waits. */
const isConcurrent = (script: string): boolean => /^\s*(CREATE|DROP)\b[^;]*\bCONCURRENTLY\b/im.test(script);
const createdIndex = /\bINDEX CONCURRENTLY IF NOT EXISTS ("[^"]+")/;

/** Whether it may run again after an interruption: it commits in parts, and skips what is already there. */
export const isResumable = (script: string): boolean => isConcurrent(script) || /^\s*COMMIT;$/m.test(script);

/**
 * Runs the SQL of a migration. Gives way to whoever holds a lock, and tries again.
 * @throws what PostgreSQL reports; the script is undone then, up to its last `COMMIT` if it has any.
 */
export async function runMigration(
  pool: pg.Pool,
  script: string,
  { patienceMs, onWait }: Patience,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const isPatient = isConcurrent(script);
    await client.query(`SET lock_timeout = ${isPatient ? 0 : lockTimeoutMs}`);
    const giveUpAt = performance.now() + patienceMs;
    for (let pauseMs = lockTimeoutMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      await dropUnfinishedIndex(client, script);
      const holders = watchHolders(pool, rows[0]?.pid ?? 0, isPatient ? onWait : () => undefined);
      try {
        await client.query(script);
        return;
      } catch (error) {
        const code = (error as { code?: string }).code;
        if (code !== lockNotAvailable && code !== deadlockDetected) throw error;
        const reason = holders.found() ?? 'a lock that other sessions hold in turn';
        if (performance.now() + pauseMs > giveUpAt) throw withReason(error as Error, reason);
        onWait(`${reason}; trying again in ${Math.round(pauseMs / 1_000)} s`);
      } finally {
        holders.stop();
      }
      await delay(pauseMs);
    }
  } finally {
    await client.query('RESET lock_timeout').catch(() => undefined);
    client.release();
  }
}

const inVain = 'waited in vain for ';

function withReason(error: Error, reason: string): Error {
  error.message += `; ${inVain}${reason};`;
  return error;
}

/** What a migration waited for, according to the log of its failure; undefined if it failed for another reason. */
export const waitedInVain = (log: string): string | undefined => new RegExp(`${inVain}(.+?);`).exec(log)?.[1];

/** An interrupted build leaves an invalid index, which `IF NOT EXISTS` would accept. */
async function dropUnfinishedIndex(client: pg.PoolClient, script: string): Promise<void> {
  const [, name] = createdIndex.exec(script) ?? [];
  if (!name) return;
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (rowCount) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
}

/** Looks who is in the way while the script waits, because nobody can tell afterwards. */
function watchHolders(pool: pg.Pool, pid: number, onFound: (reason: string) => void) {
  let found: string | undefined;
  const timer = setInterval(() => {
    describeHolders(pool, pid).then(
      (reason) => {
        if (reason !== undefined && reason !== found) onFound(reason);
        found = reason ?? found;
      },
      () => undefined,
    );
  }, askAfterMs);
  return {
    found: () => found,
    stop: () => {
      clearInterval(timer);
    },
  };
}

async function describeHolders(pool: pg.Pool, pid: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ table: string | null; holders: string | null }>(
    `SELECT (SELECT relation::regclass::text FROM pg_locks WHERE pid = $1 AND NOT granted LIMIT 1) AS table,
       string_agg(format('process %s (%s, %s since %s)', pid, coalesce(nullif(application_name, ''), 'unnamed'),
         coalesce(state, backend_type, 'unknown'), to_char(xact_start AT TIME ZONE 'UTC', 'HH24:MI:SS "UTC"')), ', '
         ORDER BY xact_start) AS holders
     FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1))`,
    [pid],
  );
  const [{ table, holders } = { table: null, holders: null }] = rows;
  if (holders === null) return undefined;
  return table === null ? `the end of ${holders}` : `a lock on ${table}, held by ${holders}`;
}
