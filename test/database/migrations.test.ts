import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { applyMigrations, migrationDiff } from '../../src/database/migrations/migrations.ts';
import { eventually } from '../support/eventually.ts';

const adminUrl = process.env['TEST_POSTGRES_URL'] ?? '';
const migrationLock = 1_886_287_981;
const table =
  'CREATE TABLE "Note" (\n    "id" INTEGER NOT NULL,\n\n    CONSTRAINT "Note_pkey" PRIMARY KEY ("id")\n);\n';
const failing = `${table.replaceAll('Note', 'Draft')}SELECT no_such_function();`;

const admin = new pg.Client(adminUrl);
let root: string;
let folder: string;
let database: string;
let databaseUrl: string;
let client: pg.Client;

beforeAll(async () => {
  await admin.connect();
  root = await mkdtemp(join(tmpdir(), 'migrations-'));
});

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'prisma-'));
  await addMigration('20260101000000_first', table);
  await writeFile(join(folder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
  database = `migrations_${randomUUID()}`;
  await admin.query(`CREATE DATABASE "${database}"`);
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  databaseUrl = url.href;
  client = new pg.Client(databaseUrl);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
});

afterAll(async () => {
  await admin.end();
  await rm(root, { recursive: true, force: true });
});

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, 'migrations', name), { recursive: true });
  await writeFile(join(folder, 'migrations', name, 'migration.sql'), sql);
}

const apply = () => applyMigrations(databaseUrl, { folder });

async function tables(): Promise<unknown[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('applyMigrations', () => {
  it('fails with a clear message when there is no server', async () => {
    await expect(applyMigrations('postgresql://pix@127.0.0.1:1/pix', { folder })).rejects.toThrow(
      'ECONNREFUSED',
    );
  });

  it('refuses a database with tables that no migration created', async () => {
    await client.query('CREATE TABLE stranger (id int)');
    await expect(apply()).rejects.toThrow(/could not be migrated: The database schema is not empty/);
  });

  it('rolls back a failing migration and reports which one and why', async () => {
    await addMigration('20260102000000_second', failing);
    await expect(apply()).rejects.toThrow(
      /migration 20260102000000_second failed at .*function no_such_function\(\) does not exist/s,
    );
    expect(await tables()).toEqual(['Note']);
  });

  it('does not retry a failed migration by itself', async () => {
    await addMigration('20260102000000_second', failing);
    await apply().catch(() => {});
    await addMigration('20260102000000_second', 'SELECT 1;');
    await expect(apply()).rejects.toThrow('migration 20260102000000_second failed');
  });

  it('continues after a failed migration was resolved with the statement from the error', async () => {
    await addMigration('20260102000000_second', failing);
    const { message } = await apply().then(
      () => new Error('was applied'),
      (error: Error) => error,
    );
    await addMigration('20260102000000_second', 'SELECT 1;');
    await client.query(/UPDATE .*?;/.exec(message)?.[0] ?? '');
    expect(await apply()).toEqual({ applied: ['20260102000000_second'], warnings: [] });
  });

  it('treats a migration that started but never finished as failed', async () => {
    await apply();
    await addMigration('20260102000000_second', 'SELECT 1;');
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '20260102000000_second')`,
    );
    await expect(apply()).rejects.toThrow('It was interrupted');
  });

  it('warns of a migration known only to a newer version', async () => {
    await addMigration('20260102000000_second', 'SELECT 1;');
    await apply();
    await rm(join(folder, 'migrations', '20260102000000_second'), { recursive: true });
    const warning = 'The database has the migration 20260102000000_second, which this version does not know.';
    expect(await apply()).toEqual({ applied: [], warnings: [warning] });
  });

  it('warns of a migration that was changed after it had been applied', async () => {
    await apply();
    await addMigration('20260101000000_first', `${table}-- changed`);
    const warning = 'The migration 20260101000000_first was changed after it had been applied.';
    expect(await apply()).toEqual({ applied: [], warnings: [warning] });
  });

  it('runs each migration once when several processes start together', async () => {
    const outcomes = await Promise.all([apply(), apply(), apply()]);
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(['20260101000000_first']);
    const { rows } = await client.query('SELECT migration_name FROM _prisma_migrations');
    expect(rows).toHaveLength(1);
  });

  it('waits for another migrating process until it ends or dies', async () => {
    const other = new pg.Client(databaseUrl);
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const waiting = apply();
    const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = $1 AND query LIKE '%pg_try_advisory_lock%'
      AND application_name = 'pix migrations'`;
    await eventually(async () => expect((await admin.query(isWaiting, [database])).rowCount).toBe(1));
    expect(await tables()).toEqual([]);
    await other.end();
    expect((await waiting).applied).toEqual(['20260101000000_first']);
  });

  it('builds an index concurrently while another process waits for its turn', async () => {
    await apply();
    const index = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "Note_idx" ON "Note"("id");\n';
    await addMigration('20260102000000_index', index);
    const [first, second] = await Promise.all([apply(), apply()]);
    expect([...first.applied, ...second.applied]).toEqual(['20260102000000_index']);
  });

  it('waits for nobody when there is nothing to do', async () => {
    await apply();
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    expect(await apply()).toEqual({ applied: [], warnings: [] });
  });

  it('runs a function with semicolons in its body', async () => {
    const body = `CREATE FUNCTION three() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 3; END $$;`;
    await addMigration('20260102000000_second', body);
    await apply();
    expect((await client.query('SELECT three()')).rows).toEqual([{ three: 3 }]);
  });

  it('writes the same history as prisma migrate deploy', async () => {
    expect(await apply()).toEqual({ applied: ['20260101000000_first'], warnings: [] });
    const { rows } = await client.query(
      `SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at, finished_at >= started_at AS finished
       FROM _prisma_migrations`,
    );
    const checksum = createHash('sha256').update(table).digest('hex');
    const nothing = { logs: null, rolled_back_at: null };
    const row = { migration_name: '20260101000000_first', checksum, applied_steps_count: 1, finished: true };
    expect(rows).toEqual([{ ...row, ...nothing }]);
  });
});

describe('migrationDiff', () => {
  const schemaOf = (fields: string) =>
    `datasource db {\n  provider = "postgresql"\n}\n\nmodel Note {\n  id Int @id\n${fields}}\n`;

  const diff = async (fields: string) => {
    await writeFile(join(folder, 'schema.prisma'), schemaOf(fields));
    return migrationDiff(adminUrl, folder);
  };

  it('reports an invalid schema', async () => {
    await expect(diff('  text Sting\n')).rejects.toThrow('Type "Sting" is neither a built-in type');
  });

  it('reports a migration that does not run', async () => {
    await addMigration('20260102000000_second', failing);
    await expect(diff('')).rejects.toThrow('no_such_function');
  });

  it('is the next migration when the schema has more', async () => {
    expect(await diff('  text String\n')).toContain(
      'ALTER TABLE "Note" ADD COLUMN     "text" TEXT NOT NULL;',
    );
  });

  it('is empty when migrations and schema agree', async () => {
    expect(await diff('')).toBe('');
  });

  it('leaves no database behind', async () => {
    const { rows } = await admin.query(`SELECT datname FROM pg_database WHERE datname LIKE '%shadow%'`);
    expect(rows).toEqual([]);
  });

  it("is empty for the service's own migrations and schema", async () => {
    expect(await migrationDiff(adminUrl)).toBe('');
  });
});

it('are read with few files open, however many there are', async () => {
  for (let index = 0; index < 200; index++)
    await addMigration(`20260201${String(index).padStart(6, '0')}_more`, '');
  const module = join(import.meta.dirname, '../../dist/database/migrations/migration-files.js');
  const script = `const { readMigrations } = await import(${JSON.stringify(module)});
    console.log((await readMigrations(${JSON.stringify(folder)})).length)`;
  const command = 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"';
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
  expect([stdout.trim(), stderr]).toEqual(['201', '']);
});
