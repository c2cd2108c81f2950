import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { applyMigrations } from '../../../src/database/migrations/migrations.ts';
import { eventually } from '../../support/eventually.ts';

const adminUrl = process.env['TEST_POSTGRES_URL'] ?? '';
const prisma = fileURLToPath(new URL('../../../prisma', import.meta.url));
const fill = '20261121152002_fill_organizations_of_pix';
const database = `migrations_${randomUUID()}`;
const databaseUrl = Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href;
const organizationId = randomUUID();

const admin = new pg.Client(adminUrl);
const client = new pg.Client(databaseUrl);
let folder: string;

async function applyBefore(migration: string): Promise<void> {
  const copy = await mkdtemp(join(folder, 'prisma-'));
  await cp(prisma, copy, { recursive: true });
  for (const name of await readdir(join(copy, 'migrations'))) {
    if (/^\d/.test(name) && name >= migration) await rm(join(copy, 'migrations', name), { recursive: true });
  }
  await applyMigrations(databaseUrl, { folder: copy });
}

/** The database of the first release. */
beforeAll(async () => {
  await admin.connect();
  await admin.query(`CREATE DATABASE "${database}"`);
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await applyBefore('20261121150730_refunded_amounts');
});

afterAll(async () => {
  await client.end();
  await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
  await admin.end();
  await rm(folder, { recursive: true });
});

/** A payment that received these Pix, one after the other; answers the transaction id. */
async function received(provider: string, mode: 'live' | 'test', ...endToEndIds: string[]): Promise<string> {
  const [payment, attempt] = [randomUUID(), randomUUID()];
  await client.query(
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at)
     VALUES ($1, $2, $3, 'completed', 1, $4, now(), now())`,
    [payment, organizationId, mode, provider],
  );
  await client.query(
    `INSERT INTO payment_attempt (id, payment_id, position, provider, reason, outcome, created_at)
     VALUES ($1, $2, 0, $3, 'default', 'created', now())`,
    [attempt, payment, provider],
  );
  for (const [index, endToEndId] of endToEndIds.entries()) {
    await client.query(
      `INSERT INTO received_pix (end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)
       VALUES ($1, $2, $3, 1, now(), now() + make_interval(secs => $4))`,
      [endToEndId, payment, attempt, index],
    );
  }
  return attempt.replaceAll('-', '');
}

test('an older Pix belongs to its organization and is recognised when reported again', async () => {
  const woovi = await received('woovi', 'live', 'E1');
  const pagarme = await received('pagarme', 'live', 'PAGARMEch_1', 'E2');
  await received('woovi', 'test', 'E3');
  await received('bacen', 'live', 'E4', 'E5');
  await applyBefore(fill);
  // Whose row is being changed while others are filled.
  await client.query(`BEGIN; UPDATE received_pix SET paid_at = now() WHERE end_to_end_id = 'E4'`);
  const migrated = applyMigrations(databaseUrl);
  const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = $1 AND cardinality(pg_blocking_pids(pid)) > 0`;
  await eventually(async () => expect((await admin.query(isWaiting, [database])).rowCount).toBe(1));
  await client.query('COMMIT');
  expect((await migrated).applied).toContain(fill);
  const { rows } = await client.query<{ id: string; organization: string }>(
    'SELECT end_to_end_id AS id, organization_id AS organization FROM received_pix',
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(
    ['E2', 'E3', 'E4', 'E5', `PAGARME${pagarme}`, `WOOVI${woovi}`].toSorted(),
  );
  expect(new Set(rows.map(({ organization }) => organization))).toEqual(new Set([organizationId]));
});
