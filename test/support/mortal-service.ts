import { query } from './database.ts';
import { eventually } from './eventually.ts';
import { startService } from './service-process.ts';

/** A service that is killed and started again on the same database. */
export interface MortalService {
  /** The URL of the process that runs; while none does, of the next one. */
  baseUrl(): Promise<string>;
  /** SIGKILL; the next process starts after `downSeconds` by the clock of everything that is stored. */
  kill(downSeconds: number): Promise<void>;
}

export async function startMortalService(
  databaseUrl: string,
  env: Record<string, string>,
): Promise<MortalService> {
  const start = () => startService({ ...env, DATABASE_URL: databaseUrl });
  let running = start();
  await running;
  return {
    baseUrl: async () => (await running).baseUrl,
    async kill(downSeconds) {
      const victim = await running;
      running = (async () => {
        await victim.end('SIGKILL');
        await lastStatementsEnded(databaseUrl);
        await passTime(databaseUrl, downSeconds);
        return start();
      })();
      await running;
    },
  };
}

/** What the dead has sent still runs to its end. */
const lastStatementsEnded = (databaseUrl: string): Promise<void> =>
  eventually(async () => {
    const alive = await query(
      databaseUrl,
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    if (alive.length > 0) throw new Error(`${alive.length} statements of the dead still run`);
  });

/** What is stored grows older, so that leases and schedules of minutes are over at once. */
export async function passTime(databaseUrl: string, seconds: number): Promise<void> {
  const older = (table: string, ...columns: string[]) =>
    query(
      databaseUrl,
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} - $1::interval`).join(', ')}`,
      [`${seconds} seconds`],
    );
  await older('idempotency_key', 'created_at', 'locked_until');
  await older('payment', 'created_at', 'expires_at', 'next_check_at');
  await older('payment_check', 'next_check_at', 'watched_at');
  await older('payment_attempt', 'created_at', 'next_check_at');
  await older('psp_notification', 'received_at', 'next_check_at');
  await older('psp_sweep', 'next_check_at');
  await older('refund', 'created_at', 'sent_at', 'next_check_at');
  await older('recurrence', 'created_at', 'expires_at', 'next_check_at');
  await older('listed_charge', 'listed_at', 'next_check_at');
}
