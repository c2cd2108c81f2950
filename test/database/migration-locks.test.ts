import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { applyMigrations } from '../../src/database/migrations/migrations.ts';
import { emptyDatabase, query } from '../support/database.ts';

const second = '20260102000000_second';
let folder: string;
let databaseUrl: string;
/** Somebody else at work in the database. */
let other: pg.Client;

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, 'migrations', name), { recursive: true });
  await writeFile(join(folder, 'migrations', name, 'migration.sql'), sql);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prisma-'));
  await addMigration(
    '20260101000000_first',
    'CREATE TABLE "Note" ("id" INTEGER NOT NULL PRIMARY KEY, "text" TEXT);',
  );
  databaseUrl = await emptyDatabase();
  await applyMigrations(databaseUrl, { folder });
  await addMigration(second, 'ALTER TABLE "Note" ADD COLUMN "author" TEXT;');
  other = new pg.Client({ connectionString: databaseUrl, application_name: 'a long report' });
  await other.connect();
});

afterEach(async () => {
  await other.end();
  await rm(folder, { recursive: true });
});

const holder =
  /a lock on "Note", held by process \d+ \(a long report, idle in transaction since [\d:]{8} UTC\)/;

/** Reads without pause; returns how long the slowest took, in milliseconds. */
async function readUntil(isOver: () => boolean): Promise<number> {
  let slowestMs = 0;
  while (!isOver()) {
    const startedAt = performance.now();
    await query(databaseUrl, 'SELECT * FROM "Note"');
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  return slowestMs;
}

test('a migration behind a long transaction gives way to readers, names it, and is applied after it', async () => {
  await other.query('BEGIN; SELECT * FROM "Note"');
  const reasons: string[] = [];
  const readMs = readUntil(() => reasons.length === 1);
  const migration = applyMigrations(databaseUrl, { folder, onWait: (reason) => reasons.push(reason) });
  // The migration waits for its lock for two seconds at a time.
  expect(await readMs).toBeLessThan(4_000);
  await other.query('COMMIT');
  expect((await migration).applied).toEqual([second]);
  expect(reasons[0]).toMatch(holder);
});

test('a migration that waits in vain names whom it waited for, and the next start applies it', async () => {
  await other.query('BEGIN; SELECT * FROM "Note"');
  await expect(applyMigrations(databaseUrl, { folder, patienceMs: 0 })).rejects.toThrow(holder);
  await other.query('COMMIT');
  expect((await applyMigrations(databaseUrl, { folder })).applied).toEqual([second]);
});

const interrupt = (name: string) =>
  query(databaseUrl, `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', $1)`, [
    name,
  ]);

test('an index whose build was interrupted is built again by itself', async () => {
  await applyMigrations(databaseUrl, { folder });
  const third = '20260103000000_index';
  await addMigration(
    third,
    'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "Note_text_key" ON "Note"("text");',
  );
  await query(databaseUrl, `INSERT INTO "Note" VALUES (1, 'same'), (2, 'same')`);
  // This leaves an invalid index, as an interruption does.
  await other
    .query('CREATE UNIQUE INDEX CONCURRENTLY "Note_text_key" ON "Note"("text")')
    .catch(() => undefined);
  await query(databaseUrl, `DELETE FROM "Note" WHERE id = 2`);
  await interrupt(third);
  expect((await applyMigrations(databaseUrl, { folder })).applied).toEqual([third]);
  const [index] = await query(
    databaseUrl,
    `SELECT indisvalid FROM pg_index WHERE indexrelid = '"Note_text_key"'::regclass`,
  );
  expect(index).toEqual({ indisvalid: true });
});

test('a fill whose process died goes on by itself', async () => {
  await applyMigrations(databaseUrl, { folder });
  await query(databaseUrl, `INSERT INTO "Note" VALUES (1), (2), (3)`);
  const fill = (failAt: number) => `DO $$
BEGIN
    FOR n IN 1..3 LOOP
        UPDATE "Note" SET author = coalesce(author, '') || 'x' WHERE id = n AND author IS NULL AND 1 / (n - ${failAt}) IS NOT NULL;
        COMMIT;
    END LOOP;
END $$;`;
  await other.query(fill(2)).catch(() => undefined);
  const third = '20260103000000_fill';
  await addMigration(third, fill(0));
  await interrupt(third);
  expect((await applyMigrations(databaseUrl, { folder })).applied).toEqual([third]);
  expect(await query(databaseUrl, 'SELECT author FROM "Note"')).toEqual([
    { author: 'x' },
    { author: 'x' },
    { author: 'x' },
  ]);
});
