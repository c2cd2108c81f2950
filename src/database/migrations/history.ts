import type pg from 'pg';

/** A row of `_prisma_migrations` that was not rolled back. */
export interface HistoryRow {
  name: string;
  checksum: string;
  startedAt: Date;
  isFinished: boolean;
  logs: string | null;
}

export async function readHistory(client: pg.Client): Promise<HistoryRow[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  if (!tables[0]?.exists) return [];
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name AS name, checksum, started_at AS "startedAt", logs, finished_at IS NOT NULL AS "isFinished"
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

/** Lets a migration that did not finish run again. */
export async function forgetUnfinished(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
}

export function refuseFailed(history: readonly HistoryRow[]): void {
  const failed = history.find(({ isFinished }) => !isFinished);
  if (!failed) return;
  const reason = failed.logs
    ? withoutTrace(failed.logs)
    : 'It was interrupted, so check whether the database has its changes.';
  throw new Error(
    `The migration ${failed.name} failed at ${failed.startedAt.toISOString()}:\n${reason}\n` +
      'Fix the cause, then run this statement and start again:\nUPDATE _prisma_migrations SET rolled_back_at = now() ' +
      `WHERE migration_name = '${failed.name}' AND finished_at IS NULL;`,
  );
}

/** Drops the trace of Prisma's Rust code. */
export const withoutTrace = (text: string): string =>
  text.replace(/\n\s+0: .*/s, '').replace(/^external connector error\n/, '');
