import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findPrimary } from '../connections/primary.ts';
import { openDatabaseSession } from '../connections/open-session.ts';
import { forgetUnfinished, type HistoryRow, readHistory, refuseFailed, withoutTrace } from './history.ts';
import {
  type Migration,
  prismaFolder,
  readMigrations,
  readReplaced,
  type Replaced,
  toMigrationList,
} from './migration-files.ts';
import { findReplacements, recordReplacements } from './replaced.ts';
import { isResumable, type Patience, waitedInVain } from './run-migration.ts';
import { withSchemaEngine } from './schema-engine.ts';

export interface MigrationOutcome {
  /** Names of the migrations applied by this call, in order. */
  applied: string[];
  /** Oddities in the migration history that are no reason to stop. */
  warnings: string[];
}

export interface ApplyOptions extends Partial<Patience> {
  folder?: string;
}

/** Held while migrations run, so that one process runs them and the others wait. */
const migrationLock = 1_886_287_981;
const lockPollMs = 200;
const filters = { externalTables: [], externalEnums: [] };

/** Whether `applyMigrations` would do nothing. Cheap, because Prisma's schema engine is not loaded. */
export async function isMigrated(databaseUrl: string, folder = prismaFolder): Promise<boolean> {
  const client = await openDatabaseSession(databaseUrl);
  try {
    return isCurrent(await readMigrations(folder), await readHistory(client));
  } finally {
    await client.end();
  }
}

/**
 * Applies pending migrations like `prisma migrate deploy`, with the same history. Gives way to whoever holds a
 * lock, and tries again for ten minutes.
 * @throws when a migration fails or failed before; PostgreSQL has rolled that migration back.
 */
export async function applyMigrations(
  databaseUrl: string,
  { folder = prismaFolder, patienceMs = 600_000, onWait = () => undefined }: ApplyOptions = {},
): Promise<MigrationOutcome> {
  const migrations = await readMigrations(folder);
  const client = await openDatabaseSession(databaseUrl);
  try {
    const before = await readHistory(client);
    const replaced = await readReplaced(folder);
    if (isCurrent(migrations, before))
      return { applied: [], warnings: warningsOf(migrations, before, replaced) };
    await takeLock(client);
    await resumeInterrupted(client, migrations);
    const replacements = findReplacements(replaced, await readHistory(client));
    await recordReplacements(databaseUrl, await toMigrationList(folder, migrations), replacements);
    const history = await readHistory(client);
    const warnings = warningsOf(migrations, history, replaced);
    if (isCurrent(migrations, history)) return { applied: [], warnings };
    refuseFailed(history);
    const applied = await deploy(databaseUrl, folder, migrations, { patienceMs, onWait }).catch(
      async (error: Error) => {
        await refuseWaited(client);
        refuseFailed(await readHistory(client));
        throw new Error(`The database could not be migrated: ${withoutTrace(error.message)}`, {
          cause: error,
        });
      },
    );
    return { applied, warnings };
  } finally {
    await client.end();
  }
}

/** Resumes what a dead process has left. Nobody else is working on it, because this process has the lock. */
async function resumeInterrupted(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const { name, isFinished, logs } of await readHistory(client)) {
    const sql = migrations.find((migration) => migration.name === name)?.sql;
    if (!isFinished && logs === null && sql && isResumable(sql)) await forgetUnfinished(client, name);
  }
}

/** A migration that never got its lock has changed nothing, or may continue where it was. */
async function refuseWaited(client: pg.Client): Promise<void> {
  const failed = (await readHistory(client)).find(({ isFinished }) => !isFinished);
  const reason = waitedInVain(failed?.logs ?? '');
  if (!failed || reason === undefined) return;
  await forgetUnfinished(client, failed.name);
  throw new Error(
    `The migration ${failed.name} has waited in vain for ${reason}. End that, or wait for its end, and start again.`,
  );
}

/**
 * Polls, because a waiting statement keeps its snapshot and `CREATE INDEX CONCURRENTLY` waits for all snapshots: the two would
 * deadlock.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      migrationLock,
    ]);
    if (rows[0]?.taken) return;
    await delay(lockPollMs);
  }
}

/**
 * The SQL that leads from the migrations folder to the schema: empty when they agree, otherwise the next migration. Needs a
 * server, and a user who may create a temporary database on it.
 */
export async function migrationDiff(databaseUrl: string, folder = prismaFolder): Promise<string> {
  const migrations = await readMigrations(folder);
  const list = await toMigrationList(folder, migrations);
  const content = await readFile(join(folder, 'schema.prisma'), 'utf8');
  const { stdout } = await withSchemaEngine(await findPrimary(databaseUrl), (engine) =>
    engine.diff({
      from: { tag: 'migrations', ...list },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] },
      script: true,
      exitCode: null,
      filters,
    }),
  );
  const isEmpty = stdout === null || /^\s*(-- This is an empty migration\.)?\s*$/.test(stdout);
  return isEmpty ? '' : stdout;
}

/** For developers: writes the result of `migrationDiff` as the next migration. `created` is null when there is no difference. */
export async function createMigration(
  databaseUrl: string,
  name: string,
  folder = prismaFolder,
): Promise<{ created: string | null }> {
  const sql = await migrationDiff(databaseUrl, folder);
  if (!sql) return { created: null };
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const created = `${stamp}_${name.replace(/\W+/g, '_')}`;
  await mkdir(join(folder, 'migrations', created));
  await writeFile(join(folder, 'migrations', created, 'migration.sql'), sql);
  return { created };
}

const isCurrent = (migrations: readonly Migration[], history: readonly HistoryRow[]): boolean =>
  migrations.every(({ name }) => history.some((row) => row.name === name && row.isFinished));

function warningsOf(
  migrations: readonly Migration[],
  history: readonly HistoryRow[],
  replaced: Replaced,
): string[] {
  const known = Object.values(replaced).flat();
  return history.flatMap(({ name, checksum }) => {
    if (known.includes(name)) return [];
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration) return [`The database has the migration ${name}, which this version does not know.`];
    return migration.checksum === checksum
      ? []
      : [`The migration ${name} was changed after it had been applied.`];
  });
}

async function deploy(
  databaseUrl: string,
  folder: string,
  migrations: Migration[],
  patience: Patience,
): Promise<string[]> {
  const migrationsList = await toMigrationList(folder, migrations);
  const { appliedMigrationNames } = await withSchemaEngine(
    await findPrimary(databaseUrl),
    (engine) => engine.applyMigrations({ migrationsList, filters }),
    patience,
  );
  return appliedMigrationNames;
}
