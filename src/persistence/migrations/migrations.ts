import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { findPrimary } from '../connections/primary.ts';
import { openSession } from '../connections/open-session.ts';
import { type MigrationList, withSchemaEngine } from './schema-engine.ts';

export interface MigrationOutcome {
  /** Names of the migrations applied by this call, in order. */
  applied: string[];
  /** Oddities in the migration history that are no reason to stop. */
  warnings: string[];
}

/** Contains `schema.prisma` and `migrations`. */
const prismaFolder = fileURLToPath(new URL('../../../prisma', import.meta.url));
/** Held while migrations run, so that one process runs them and the others wait. */
const migrationLock = 1_886_287_981;
const lockPollMs = 200;
const filters = { externalTables: [], externalEnums: [] };

interface Migration {
  name: string;
  sql: string;
  /** As in Prisma: SHA-256 of the file, in hex. */
  checksum: string;
}

interface HistoryRow {
  name: string;
  checksum: string;
  startedAt: Date;
  isFinished: boolean;
  logs: string | null;
}

/** Whether `applyMigrations` would do nothing. Cheap, since Prisma's schema engine is not loaded. */
export async function isMigrated(databaseUrl: string, folder = prismaFolder): Promise<boolean> {
  const client = await openSession(databaseUrl);
  try {
    return isCurrent(await readMigrations(folder), await readHistory(client));
  } finally {
    await client.end();
  }
}

/**
 * Applies pending migrations like `prisma migrate deploy`, with the same history.
 * @throws when a migration fails or failed before; PostgreSQL has rolled that migration back.
 */
export async function applyMigrations(databaseUrl: string, folder = prismaFolder): Promise<MigrationOutcome> {
  const migrations = await readMigrations(folder);
  const client = await openSession(databaseUrl);
  try {
    const before = await readHistory(client);
    if (isCurrent(migrations, before)) return { applied: [], warnings: warningsOf(migrations, before) };
    await takeLock(client);
    const history = await readHistory(client);
    const warnings = warningsOf(migrations, history);
    if (isCurrent(migrations, history)) return { applied: [], warnings };
    refuseFailed(history);
    const applied = await deploy(databaseUrl, folder, migrations).catch(async (error: Error) => {
      refuseFailed(await readHistory(client));
      throw new Error(`The database could not be migrated: ${withoutTrace(error.message)}`, { cause: error });
    });
    return { applied, warnings };
  } finally {
    await client.end();
  }
}

/**
 * By polling: a waiting statement keeps its snapshot, and `CREATE INDEX CONCURRENTLY` waits for all
 * snapshots, so the two would deadlock.
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
 * The SQL from the migrations folder to the schema: empty when they agree, otherwise the next migration.
 * Needs a server and a user who may create a temporary database on it.
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

/**
 * For developers: writes the result of `migrationDiff` as the next migration; `created` is null when there is
 * no difference.
 */
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

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(join(folder, 'migrations'), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, 'migrations', name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function readHistory(client: pg.Client): Promise<HistoryRow[]> {
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

const isCurrent = (migrations: readonly Migration[], history: readonly HistoryRow[]): boolean =>
  migrations.every(({ name }) => history.some((row) => row.name === name && row.isFinished));

function warningsOf(migrations: readonly Migration[], history: readonly HistoryRow[]): string[] {
  return history.flatMap(({ name, checksum }) => {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration) return [`The database has the migration ${name}, which this version does not know.`];
    const isChanged = migration.checksum !== checksum;
    return isChanged ? [`The migration ${name} was changed after it had been applied.`] : [];
  });
}

function refuseFailed(history: readonly HistoryRow[]): void {
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

async function deploy(databaseUrl: string, folder: string, migrations: Migration[]): Promise<string[]> {
  const migrationsList = await toMigrationList(folder, migrations);
  const { appliedMigrationNames } = await withSchemaEngine(await findPrimary(databaseUrl), (engine) =>
    engine.applyMigrations({ migrationsList, filters }),
  );
  return appliedMigrationNames;
}

async function toMigrationList(folder: string, migrations: Migration[]): Promise<MigrationList> {
  const baseDir = join(folder, 'migrations');
  const lockfile = await readFile(join(baseDir, 'migration_lock.toml'), 'utf8').catch(() => null);
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

/** Drops the trace of Prisma's Rust code. */
const withoutTrace = (text: string): string =>
  text.replace(/\n\s+0: .*/s, '').replace(/^external connector error\n/, '');
