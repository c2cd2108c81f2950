// Counts what workers read while nothing is due, beside many organizations of which each has something of every kind that waits.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { waitingTenants } from '../test/support/waiting-tenants.ts';
import type { Bench } from './parts.ts';

/** Longer than the pauses of the rounds that come every few seconds; the others run once when a worker starts. */
const measuredMs = 40_000;

/** What finds work, by its statement. The names are those of the workers. */
const loops: [name: string, query: RegExp][] = [
  ['payment', /AS lane.*FROM payment_check/],
  ['late_payment', /AS lane.*FROM payment\s+WHERE status IN/],
  ...[
    'payment_attempt',
    'refund',
    'psp_notification',
    'recurrence',
    'dispute',
    'dispute_sweep',
    'psp_sweep',
    'listed_charge',
    'statement_day',
    'webhook_delivery',
  ].map((table): [string, RegExp] => [table, new RegExp(`AS lane.*FROM ${table}\\s`)]),
  ['abandon-payments', /UPDATE payment SET next_check_at.*status = /],
  ['expire-approval-requests', /approval_request/],
  ['chain-audit', /audit_entry/],
  ['make-batches', /UPDATE payment_batch/],
  ['watch-alerts', /"organizationId", mode FROM alert WHERE/],
  ['send-alert-mail', /alert_email/],
  ['send-link-mail', /link_email/],
  ['watch-certificates', /UPDATE credential c SET certificate_checked_at/],
  ['plan-statements', /INSERT INTO statement_day/],
  ['plan-dispute-sweeps', /INSERT INTO dispute_sweep/],
  ['watch-books', /enum_range.*"DifferenceKind"/],
  ['watch-refunds', /SELECT pending_reason AS reason/],
  ['return-to-others', /return_due_at/],
  ['forget-people', /UPDATE forgotten_person SET next_check_at/],
];

/** The most pages of a call of each worker's statement that finds work, and finds none. */
export async function workerPages(
  bench: Bench,
  statements: pg.Client,
  organizations: number,
): Promise<Map<string, number>> {
  for (const sql of waitingTenants) await statements.query(sql, sql.includes('$1') ? [organizations] : []);
  await statements.query('VACUUM (ANALYZE)');
  await statements.query('SELECT pg_stat_statements_reset()');
  const worker = await bench.startNode({ ROLE: 'all' });
  await delay(measuredMs);
  const pages = new Map<string, number>();
  for (const [name, query] of loops) {
    const { rows: sent } = await statements.query<{ pages: number | null }>(
      `SELECT max((shared_blks_hit + shared_blks_read) / calls)::int AS pages FROM pg_stat_statements
       WHERE userid = 'pix'::regrole AND query ~ $1`,
      [query.source],
    );
    const most = sent[0]?.pages;
    if (typeof most === 'number') pages.set(name, most);
  }
  worker.stop();
  return pages;
}
