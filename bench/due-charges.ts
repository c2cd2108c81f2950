// Open charges with a due date at one account, and what their lists and the polling of it read.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { asaas } from '../test/support/psp-emulator/asaas.ts';
import { startEmulator } from '../test/support/psp-emulator/core.ts';
import { eventually } from '../test/support/eventually.ts';
import type { Bench, Tenant } from './parts.ts';

/** How many checks are due at once where their pages are counted. */
const checked = 500;
/** The due dates lie in so many days, half of them past. */
const days = 100;

export interface DueCharges {
  tenant: Tenant;
  /** The due date of a hundredth of them, which is still to come. */
  day: string;
  /** Until there are so many; they are checked in the coming night. */
  grow(count: number): Promise<void>;
  /** Pages that a claim reads in vain, and those of all that a check takes. */
  polling(): Promise<{ idle: number; check: number }>;
  stop(): Promise<void>;
}

export async function openDueCharges(bench: Bench, statements: pg.Client): Promise<DueCharges> {
  const { id: organizationId } = await bench.pix('org', 'create', '--name', 'Condomínio');
  const { key } = await bench.pix<{ key: string }>(
    'key',
    'create',
    '--org',
    organizationId,
    '--mode',
    'live',
  );
  const emulator = await startEmulator(asaas);
  const folder = await mkdtemp(join(tmpdir(), 'pix-due-'));
  const config = join(folder, 'settings.json');
  await writeFile(config, JSON.stringify(emulator.settings));
  const about = ['--org', organizationId, '--provider', 'asaas', '--name', 'Asaas', '--config', config];
  const { id: credentialId } = await bench.pix('credential', 'create', ...about, '--default');
  await rm(folder, { recursive: true, force: true });
  const tonight = `date_trunc('day', now() + interval '1 day') + interval '3 hours'`;
  let inserted = 0;

  async function pagesPerCheck(): Promise<number> {
    const counted = async () => {
      const { rows } = await statements.query<{ checks: number; pages: number }>(
        `SELECT coalesce(sum(rows) FILTER (WHERE query LIKE 'UPDATE%payment_check% SET%'), 0)::int AS checks,
           sum(shared_blks_hit + shared_blks_read)::int AS pages
         FROM pg_stat_statements WHERE userid = 'pix'::regrole AND query ~ '(payment_check|payment_attempt|psp_sweep|credential)'`,
      );
      return rows[0] ?? { checks: 0, pages: 0 };
    };
    await statements.query('SELECT pg_stat_statements_reset()');
    await statements.query(
      `UPDATE payment_check SET next_check_at = now()
       WHERE payment_id IN (SELECT payment_id FROM payment_check WHERE credential_id = $1 ORDER BY next_check_at LIMIT $2)`,
      [credentialId, checked],
    );
    return eventually(async () => {
      const { checks, pages } = await counted();
      if (checks < checked) throw new Error(`${checks} of ${checked} charges were checked`);
      return Math.round(pages / checks);
    }, 600_000);
  }

  return {
    tenant: { organizationId, key },
    day: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),

    async grow(count) {
      await statements.query(
        `WITH charge AS MATERIALIZED (
           SELECT n, uuid_v7() AS id, gen_random_uuid() AS attempt_id, current_date + n % ${days} - ${days / 2} AS day
           FROM generate_series($3::int, $4::int) AS n),
         payment AS (INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id,
             attempt_id, payer_name, payer_document, pix_copy_paste, due, due_date, overdue, created_at, expires_at)
           SELECT id, $1, 'live', 'pending', 10000 + n % 90000, 'asaas', $2, attempt_id, 'Maria ' || n % 1000,
             '52998224725', repeat('0', 180), json_build_object('date', day, 'payableDaysAfter', 365), day,
             day < current_date, now() - interval '60 days', day + interval '1 year' FROM charge),
         attempt AS (INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome,
             psp_reference, created_at)
           SELECT attempt_id, id, 0, 'asaas', $2, 'default', 'created', 'pay_' || n, now() - interval '60 days' FROM charge)
         INSERT INTO payment_check (payment_id, credential_id, next_check_at)
         SELECT id, $2, ${tonight} + (20 + n % 40) * interval '1 minute' FROM charge`,
        [organizationId, credentialId, inserted, count - 1],
      );
      inserted = count;
      await statements.query('VACUUM (ANALYZE)');
    },

    async polling() {
      const worker = await bench.startNode({ ROLE: 'all' });
      const check = await pagesPerCheck();
      await statements.query(`UPDATE payment_check SET next_check_at = ${tonight} + interval '20 minutes'
        WHERE next_check_at < ${tonight}`);
      await statements.query('VACUUM payment_check');
      await statements.query('SELECT pg_stat_statements_reset()');
      await delay(5_000);
      const { rows } = await statements.query<{ pages: number }>(
        `SELECT max((shared_blks_hit + shared_blks_read) / calls)::int AS pages FROM pg_stat_statements
         WHERE userid = 'pix'::regrole AND query LIKE '(SELECT % AS lane%FROM payment_check%' AND rows = 0`,
      );
      worker.stop();
      return { idle: rows[0]?.pages ?? Number.NaN, check };
    },

    stop: () => emulator.stop(),
  };
}
