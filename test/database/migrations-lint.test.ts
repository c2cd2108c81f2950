import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { lintMigrations, type LintOptions, type MigrationFile } from '../support/migration-lint/lint.ts';

const prisma = fileURLToPath(new URL('../../prisma/', import.meta.url));
const readOptions = async () => JSON.parse(await readFile(`${prisma}releases.json`, 'utf8')) as LintOptions;

async function readMigrations(): Promise<MigrationFile[]> {
  const names = (await readdir(`${prisma}migrations`)).filter((name) => /^\d/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      sql: await readFile(`${prisma}migrations/${name}/migration.sql`, 'utf8'),
    })),
  );
}

test('nodes of the release before can live with every migration', async () => {
  expect(await lintMigrations(await readMigrations(), await readOptions())).toEqual([]);
});

test('every release of the changelog is known, so that its nodes are thought of', async () => {
  const changelog = await readFile(`${prisma}../CHANGELOG.md`, 'utf8');
  const versions = [...changelog.matchAll(/^## (\d\S+)/gm)].map(([, version]) => version);
  const { releases } = await readOptions();
  expect(releases.map(({ version }) => version)).toEqual(versions.toReversed());
});

const released = {
  name: '1_released',
  sql: `CREATE TYPE "Kind" AS ENUM ('a'); CREATE TABLE note (id int PRIMARY KEY, text text NOT NULL, n int);
    CREATE TABLE tag (id int PRIMARY KEY); CREATE INDEX note_text ON note (text); CREATE INDEX note_n ON note (n);`,
};

/** The problems of migrations after the first release. */
const lint = (...sqls: string[]) =>
  lintMigrations([released, ...sqls.map((sql, index) => ({ name: `2_${index}`, sql }))], {
    releases: [{ version: '1.0.0', through: released.name }],
    contracts: {},
  });

test.each([
  ['ALTER TABLE note ADD COLUMN a int NOT NULL', 'NOT NULL without a default'],
  ['ALTER TABLE note ADD COLUMN a uuid DEFAULT gen_random_uuid()', 'rewrites the table'],
  ['ALTER TABLE note ADD COLUMN a serial', 'constraint in steps of its own'],
  ['ALTER TABLE note ADD COLUMN a int REFERENCES tag', 'constraint in steps of its own'],
  ['ALTER TABLE note ALTER COLUMN n SET NOT NULL', 'reads all of note'],
  ['ALTER TABLE note ALTER COLUMN n SET NOT NULL', 'neither a default nor a trigger'],
  ['ALTER TABLE note ALTER COLUMN n TYPE bigint', 'rewrites note'],
  ['ALTER TABLE note ALTER COLUMN text DROP NOT NULL', 'older nodes cannot read NULL'],
  ['ALTER TABLE note DROP COLUMN n', 'which older nodes use'],
  ['ALTER TABLE note RENAME COLUMN n TO m', 'renames'],
  ['ALTER TABLE note RENAME TO letter', 'renames'],
  [`ALTER TYPE "Kind" RENAME VALUE 'a' TO 'b'`, 'renames'],
  ['DROP TABLE tag', 'which older nodes use'],
  ['DROP TYPE "Kind"', 'which older nodes use'],
  ['DROP INDEX note_n', 'CONCURRENTLY'],
  ['DROP INDEX CONCURRENTLY note_n', 'which older nodes use'],
  ['CREATE INDEX a ON note (n)', 'build a CONCURRENTLY'],
  ['CREATE INDEX CONCURRENTLY a ON note (n)', 'IF NOT EXISTS'],
  [
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON note (n); CREATE INDEX CONCURRENTLY IF NOT EXISTS b ON note (n)',
    'must be alone',
  ],
  ['ALTER TABLE note ADD CONSTRAINT a CHECK (n > 0)', 'NOT VALID'],
  ['ALTER TABLE note ADD CONSTRAINT a FOREIGN KEY (n) REFERENCES tag', 'NOT VALID'],
  ['ALTER TABLE note ADD CONSTRAINT a UNIQUE (n)', 'USING INDEX'],
  [
    'ALTER TABLE note ADD CONSTRAINT a CHECK (n > 0) NOT VALID; ALTER TABLE note VALIDATE CONSTRAINT a',
    'VALIDATE CONSTRAINT must be alone',
  ],
  ['ALTER TABLE note ADD COLUMN a int; ALTER TABLE tag ADD COLUMN a int', 'locks note and tag'],
  ['UPDATE note SET n = 1', 'must go in parts'],
  ['DELETE FROM note', 'must go in parts'],
  ['DO $$ BEGIN UPDATE note SET n = 1; END $$', 'must go in parts'],
  ['DO $$ BEGIN FOR i IN 1..2 LOOP UPDATE note SET n = i; END LOOP; COMMIT; END $$', 'must go in parts'],
  [
    'DO $$ BEGIN LOOP UPDATE note SET n = 1 WHERE id = 1; COMMIT; END LOOP; END $$; SELECT 1',
    'a DO block that commits must be alone',
  ],
  ['DO $$ BEGIN IF true THEN ALTER TABLE note DROP COLUMN n; END IF; END $$', 'which older nodes use'],
  ['TRUNCATE note', 'locks a table for long'],
  ['VACUUM FULL note', 'locks a table for long'],
])('refuses %s: %s', async (sql, problem) => {
  expect(await lint(sql)).toContainEqual(expect.stringContaining(problem));
});

test('what SQL is built at run time is refused, since it cannot be read', async () => {
  await expect(lint(`DO $$ BEGIN EXECUTE 'DROP TABLE note'; END $$`)).rejects.toThrow('EXECUTE');
});

test.each([
  ['a column with a constant', `ALTER TABLE note ADD COLUMN a text[] NOT NULL DEFAULT ARRAY['x']::text[]`],
  ['a column with the time', 'ALTER TABLE note ADD COLUMN a timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP'],
  ['an index alone', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON note (n)'],
  [
    'anything about a new table',
    'CREATE TABLE a (n int); CREATE INDEX b ON a (n); ALTER TABLE a DROP COLUMN n',
  ],
  ['a fill in parts', 'DO $$ BEGIN LOOP UPDATE note SET n = 1 WHERE id = 1; COMMIT; END LOOP; END $$'],
])('accepts %s', async (_, sql) => {
  expect(await lint(sql)).toEqual([]);
});

test('NOT NULL is accepted after a validated check, where a trigger fills the column', async () => {
  const steps = [
    'CREATE TRIGGER fill BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION fill()',
    'ALTER TABLE note ADD CONSTRAINT has_n CHECK (n IS NOT NULL) NOT VALID',
    'ALTER TABLE note VALIDATE CONSTRAINT has_n',
    'ALTER TABLE note ALTER COLUMN n SET NOT NULL; ALTER TABLE note DROP CONSTRAINT has_n',
  ];
  expect(await lint(...steps)).toEqual([]);
  expect(await lint(...steps.slice(1))).toHaveLength(1);
  expect(await lint(...steps.toSpliced(2, 1))).toHaveLength(1);
});

test('an index is dropped once another begins with its columns', async () => {
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS note_n';
  expect(await lint('CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON note (n, id)', drop)).toEqual([]);
  expect(await lint('CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON note (id, n)', drop)).toHaveLength(1);
});

test.each([
  ['n IS NOT NULL', 0],
  ['n IS NOT NULL AND id > 0', 1],
  ['text IS NOT NULL', 1],
  ['n > 0', 1],
])('an index is dropped for one of the rows WHERE %s: %i problems', async (where, problems) => {
  const create = `CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON note (n) WHERE ${where}`;
  expect(await lint(create, 'DROP INDEX CONCURRENTLY IF EXISTS note_n')).toHaveLength(problems);
});

test('a partial index is dropped for one that has its rows', async () => {
  const create = (name: string, where: string) =>
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON note (id) WHERE ${where}`;
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS a';
  expect(await lint(create('a', 'n > 0'), create('b', 'id IS NOT NULL AND n > 0'), drop)).toEqual([]);
  expect(await lint(create('a', 'n > 0'), create('b', 'n > 1'), drop)).toHaveLength(1);
});

test('a column is dropped one release after the last that used it', async () => {
  const stopped = { name: '2_stopped', sql: 'ALTER TABLE note ADD COLUMN m int' };
  const drop = { name: '3_drop', sql: 'ALTER TABLE note DROP COLUMN n' };
  const releases = [
    { version: '1.0.0', through: released.name },
    { version: '1.1.0', through: stopped.name },
  ];
  const lintDrop = (lastUse: string) =>
    lintMigrations([released, stopped, drop], { releases, contracts: { [drop.name]: lastUse } });
  expect(await lintDrop('1.0.0')).toEqual([]);
  expect(await lintDrop('1.1.0')).toEqual(['3_drop: drops note.n, which older nodes use']);
});
