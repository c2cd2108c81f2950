import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { applyMigrations } from '../../src/database/migrations/migrations.ts';
import { emptyDatabase, query } from '../support/database.ts';

const prisma = fileURLToPath(new URL('../../prisma', import.meta.url));
const formerFolder = fileURLToPath(new URL('former-migrations', import.meta.url));
const lastOfFirstRelease = '20261121080000_passwords_and_codes';
const lastBeforeRewrite = '20261124100200_unreadable_entry_index';
/** Put beside the migrations whose work they took over. */
const addedAtRewrite = [
  /^202611211507(31|32)_/,
  /^2026112115200[1-7]_/,
  /^20261121160001_/,
  /^2026112203010[12]_/,
  /^2026112203020[123]_/,
  /^20261122041(001|301)_/,
  /^202611220700(02|10|11|12|13|14)_/,
  /^20261122080102_/,
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The migrations as they were before some were rewritten, up to one of them. */
async function formerMigrations(last: string): Promise<string> {
  const copy = await mkdtemp(join(folder, 'prisma-'));
  await cp(prisma, copy, { recursive: true });
  for (const name of await readdir(join(copy, 'migrations'))) {
    const isAdded = addedAtRewrite.some((pattern) => pattern.test(name));
    if (/^\d/.test(name) && (name > last || isAdded)) {
      await rm(join(copy, 'migrations', name), { recursive: true });
    }
  }
  for (const file of await readdir(formerFolder)) {
    const name = file.replace('.sql', '');
    if (name <= last) await cp(join(formerFolder, file), join(copy, 'migrations', name, 'migration.sql'));
  }
  return copy;
}

/** Everything of the schema but the order of columns. */
const catalogue = (databaseUrl: string): Promise<{ part: string }[]> =>
  query(
    databaseUrl,
    `SELECT concat_ws(' ', 'column', c.relname, attname, format_type(atttypid, atttypmod), attnotnull,
       pg_get_expr(adbin, adrelid)) AS part
     FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid AND relkind = 'r' AND relnamespace = 'public'::regnamespace
       LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attnum > 0 AND NOT attisdropped
     UNION ALL SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisprimary) FROM pg_index
       JOIN pg_class c ON c.oid = indexrelid AND relnamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', enumtypid::regtype, row_number() OVER (PARTITION BY enumtypid ORDER BY enumsortorder),
       enumlabel) FROM pg_enum
     ORDER BY 1`,
  );

async function migrated(...folders: string[]): Promise<{ part: string }[]> {
  const databaseUrl = await emptyDatabase();
  for (const each of folders) await applyMigrations(databaseUrl, { folder: each });
  const { warnings } = await applyMigrations(databaseUrl);
  expect(warnings).toEqual([]);
  return catalogue(databaseUrl);
}

test.each([
  ['the first release', lastOfFirstRelease],
  ['the state before migrations were rewritten', lastBeforeRewrite],
  ['a part of that state', '20261122041100_refund_event_once'],
])('a database of %s is upgraded to the schema of a new one', async (_, last) => {
  const upgraded = await migrated(await formerMigrations(last));
  expect(upgraded).toEqual(await migrated());
});

test('the former checksum of each rewritten migration is known', async () => {
  const files = await readdir(formerFolder);
  const checksums = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(join(formerFolder, file));
      return [file.replace('.sql', ''), createHash('sha256').update(content).digest('hex')];
    }),
  );
  const rewritten = JSON.parse(await readFile(join(prisma, 'rewritten.json'), 'utf8')) as object;
  expect(rewritten).toEqual(Object.fromEntries(checksums));
});
