// Active recurrences at one bank: what their lists read, and the debits that are made of them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { brasiliaDay } from '../src/core/base/time/brasilia.ts';
import { addDays, type CalendarDay } from '../src/core/base/time/calendar-day.ts';
import { createClient } from '../test/support/client.ts';
import { eventually } from '../test/support/eventually.ts';
import { receivingAccount } from '../test/support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../test/support/psp-emulator/bacen.ts';
import { startEmulator } from '../test/support/psp-emulator/core.ts';
import { dayDebitedToday, permittedRecurrences } from '../test/support/recurrences.ts';
import type { Bench, Tenant } from './parts.ts';

/** How many debits are made where their cost is counted. */
const prepared = 300;
/** The debits of the others lie in so many days. */
const days = 30;

export interface Recurrences {
  tenant: Tenant;
  /** A day on which a thirtieth of them is debited. */
  day: CalendarDay;
  /** One that is active. */
  sampleId(): string;
  /** Until there are so many. */
  grow(count: number): Promise<void>;
  /** Pages that a claim reads in vain; pages, statements and requests to the bank that a debit takes to be made. */
  prepare(): Promise<{ idle: number; pages: number; statements: number; requests: number }>;
  stop(): Promise<void>;
}

const today = brasiliaDay(new Date());
const dueToday = dayDebitedToday();

export async function openRecurrences(bench: Bench, statements: pg.Client): Promise<Recurrences> {
  const { id: organizationId } = await bench.pix('org', 'create', '--name', 'Academia');
  const { key } = await bench.pix<{ key: string }>(
    'key',
    'create',
    '--org',
    organizationId,
    '--mode',
    'live',
  );
  const emulator = await startEmulator(defineBacen('standard'));
  const folder = await mkdtemp(join(tmpdir(), 'pix-recurrences-'));
  const config = join(folder, 'settings.json');
  const settings = { ...emulator.settings, ...receivingAccount, notificationAuth: 'urlToken' };
  await writeFile(config, JSON.stringify(settings));
  const about = ['--org', organizationId, '--provider', 'bacen', '--name', 'Bank', '--config', config];
  const { id: credentialId } = await bench.pix('credential', 'create', ...about, '--default');
  await rm(folder, { recursive: true, force: true });
  const client = createClient(bench.baseUrl, key);
  let inserted = 0;
  let sample = '';

  /** As if a worker had seen that the payers permit them. Returns their ids. */
  async function permit(): Promise<string[]> {
    await permittedRecurrences(client, emulator, { count: prepared, startDate: dueToday });
    const { rows } = await statements.query<{ id: string }>(
      `UPDATE recurrence SET status = 'active', activated_at = now(), next_check_at = now() + interval '1 day'
       WHERE status = 'pending' RETURNING id`,
    );
    return rows.map(({ id }) => id);
  }

  return {
    tenant: { organizationId, key },
    day: addDays(today, 10),
    sampleId: () => sample,

    async grow(count) {
      await statements.query(
        `WITH recurrence AS (
           INSERT INTO recurrence (id, organization_id, mode, status, provider, credential_id, reference, amount_in_cents,
             frequency, start_date, retries, "authorization", schedule, contract, payer_name, payer_document, created_at,
             expires_at, activated_at, next_debit_on, next_check_at)
           SELECT uuid_v7(), $1, 'live', 'active', 'bacen', $2, 'RR' || n, 1000 + n % 9000, 'monthly', '2026-01-01',
             'three_in_seven_days', 'qr', 'automatic', n, 'Maria ' || n % 1000, lpad(n::text, 11, '0'), now(), now(), now(),
             to_char($5::date + 6 + n % ${days}, 'YYYY-MM-DD'), now() + (2 + n % ${days}) * interval '1 day'
           FROM generate_series($3::int, $4::int) AS n RETURNING id, amount_in_cents, contract::int AS n)
         INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, recurrence_id,
           debit_cycle, due_date, debit, payer_name, payer_document, created_at, expires_at)
         SELECT uuid_v7(), $1, 'live', (ARRAY['completed', 'pending', 'failed'])[1 + n / 10 % 3]::"PaymentStatus", amount_in_cents,
           'bacen', $2, id, $5::date + n % 4, $5::date + n % 4,
           json_build_object('dueOn', ($5::date + n % 4)::text, 'state', 'scheduled', 'attempts', json_build_array()),
           'Maria ' || n % 1000, lpad(n::text, 11, '0'), now(), now() + interval '10 days'
         FROM recurrence WHERE n % 10 = 0`,
        [organizationId, credentialId, inserted, count - 1, today],
      );
      inserted = count;
      const { rows } = await statements.query<{ id: string }>(
        `SELECT id FROM recurrence WHERE organization_id = $1 AND contract = '10'`,
        [organizationId],
      );
      sample = rows[0]?.id ?? '';
      await statements.query('VACUUM (ANALYZE)');
    },

    async prepare() {
      if (!dueToday) throw new Error('before holidays, no debit is sent');
      const ids = await permit();
      await statements.query('VACUUM recurrence');
      const worker = await bench.startNode({ ROLE: 'all' });
      await statements.query('SELECT pg_stat_statements_reset()');
      await delay(5_000);
      const { rows: claims } = await statements.query<{ pages: number }>(
        `SELECT max((shared_blks_hit + shared_blks_read) / calls)::int AS pages FROM pg_stat_statements
         WHERE userid = 'pix'::regrole AND query LIKE '(SELECT % AS lane%FROM recurrence%' AND rows = 0`,
      );
      emulator.requests.length = 0;
      await statements.query('SELECT pg_stat_statements_reset()');
      await statements.query('UPDATE recurrence SET next_check_at = now() WHERE id = ANY($1)', [ids]);
      const counted = await eventually(async () => {
        const made = await statements.query(
          `SELECT FROM payment WHERE recurrence_id = ANY($1) AND status = 'pending'`,
          [ids],
        );
        if (made.rowCount !== prepared) throw new Error(`${made.rowCount} of ${prepared} debits were made`);
        const { rows } = await statements.query<{ pages: number; statements: number }>(
          `SELECT sum(shared_blks_hit + shared_blks_read)::float8 AS pages, sum(calls)::float8 AS statements
           FROM pg_stat_statements WHERE userid = 'pix'::regrole`,
        );
        return rows[0] ?? { pages: Number.NaN, statements: Number.NaN };
      }, 600_000);
      const requests = emulator.requests.length;
      worker.stop();
      return {
        idle: claims[0]?.pages ?? Number.NaN,
        pages: Math.round(counted.pages / prepared),
        statements: Math.round(counted.statements / prepared),
        requests: Math.round(requests / prepared),
      };
    },

    stop: () => emulator.stop(),
  };
}
