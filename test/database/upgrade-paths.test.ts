import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { applyMigrations, isMigrated } from '../../src/database/migrations/migrations.ts';
import { catalogue } from '../support/catalogue.ts';
import { emptyDatabase, freshDatabase, query } from '../support/database.ts';

const replaced = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../prisma/replaced.json', import.meta.url)), 'utf8'),
) as Record<string, string[]>;
const replacements = Object.keys(replaced);

/** A database that the migrations of 1.1.0 made, or some of them. */
async function databaseOfRelease(names = Object.values(replaced).flat()): Promise<string> {
  const databaseUrl = await freshDatabase();
  await query(databaseUrl, 'DELETE FROM _prisma_migrations WHERE migration_name = ANY ($1)', [replacements]);
  await query(
    databaseUrl,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     SELECT gen_random_uuid(), 'former', name, now(), 1 FROM unnest($1::text[]) AS name`,
    [names],
  );
  return databaseUrl;
}

const historyOf = (databaseUrl: string): Promise<object[]> =>
  query(
    databaseUrl,
    `SELECT migration_name AS name, finished_at IS NOT NULL AS "isFinished" FROM _prisma_migrations
     WHERE migration_name = ANY ($1) ORDER BY 1`,
    [replacements],
  );

test.each([
  ['was stopped within them', (names: string[]) => names.slice(0, -3), 3],
  ['is of the release before', () => replaced[replacements[0] ?? ''] ?? [], 62],
])('a database that %s is left alone, and told which version to start first', async (_, choose, count) => {
  const databaseUrl = await databaseOfRelease(choose(Object.values(replaced).flat()));
  const before = await catalogue(databaseUrl);
  await expect(applyMigrations(databaseUrl)).rejects.toThrow(
    `The database lacks ${count} migrations of version 1.1.0`,
  );
  expect(await historyOf(databaseUrl)).toEqual([]);
  expect(await catalogue(databaseUrl)).toEqual(before);
});

test('a database with the migrations that a release had is recognised, once', async () => {
  const databaseUrl = await databaseOfRelease();
  expect(await isMigrated(databaseUrl)).toBe(false);
  expect(await applyMigrations(databaseUrl)).toEqual({ applied: [], warnings: [] });
  expect(await historyOf(databaseUrl)).toEqual(replacements.map((name) => ({ name, isFinished: true })));
  expect(await isMigrated(databaseUrl)).toBe(true);
  expect(await applyMigrations(databaseUrl)).toEqual({ applied: [], warnings: [] });
  expect(await historyOf(databaseUrl)).toHaveLength(replacements.length);
});

test('a recognised database gets the migrations since', async () => {
  const databaseUrl = await databaseOfRelease();
  const since = '20261202110001_checks_of_watched_payments';
  await query(databaseUrl, 'DELETE FROM _prisma_migrations WHERE migration_name = $1', [since]);
  await query(databaseUrl, 'ALTER TABLE payment_check DROP COLUMN watched_at');
  expect((await applyMigrations(databaseUrl)).applied).toEqual([since]);
});

test('an empty database gets all of them', async () => {
  const { applied } = await applyMigrations(await emptyDatabase());
  expect(applied.slice(0, 2)).toEqual(replacements);
});
