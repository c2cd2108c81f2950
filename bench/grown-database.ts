// A database as it is after years: one tenant with most of the payments, others with newer ones, and all that hangs on them.
import type pg from 'pg';
import { tenantDigest } from '../src/core/payments/store/search-terms.ts';
import type { Bench, Tenant } from './parts.ts';

const days = 90;
const perStatement = 50_000;
/** The share of the large tenant; others have the rest. */
const share = 0.8;
/** Newer than all of the large tenant, which a walk from the newest on would pass through. */
const mostForeign = 200_000;

export interface GrownDatabase {
  large: Tenant;
  /** One in the middle of the large tenant's time, paid, with an event and its delivery. */
  sampleId: string;
  /** The attempt that made the charge of `sampleId`. */
  attemptId: string;
  /** The place of `sampleId` among the payments; its reference is `order-` and this. */
  sample: number;
}

/** Every eighth expired, every ten-thousandth still pending, the rest paid; references, payers, events and deliveries. */
async function insert(
  database: pg.Client,
  { organizationId }: Tenant,
  endpointId: string | undefined,
  { from, to, first, last }: { from: number; to: number; first: number; last: number },
): Promise<void> {
  const id = (kind: number, n = 'n', ms = 'ms') =>
    `(lpad(to_hex(${ms}), 12, '0') || '7${kind}00' || lpad(to_hex(8::bigint << 60 | ${n}), 16, '0'))::uuid`;
  const rows = `SELECT n, ms, to_timestamp(ms / 1000.0) AS at, n % 10000 = 0 AS is_pending, n % 10000 <> 0 AND n % 8 <> 0 AS is_paid
    FROM generate_series($2::bigint, $3::bigint) AS n,
      LATERAL (SELECT (extract(epoch FROM now()) * 1000 - ${days} * 86400000.0 * (1 - $4::float8
        - ($5::float8 - $4::float8) * (n - $6) / greatest(1, $7::bigint - $6)))::bigint AS ms) AS time`;
  const events =
    endpointId === undefined
      ? ''
      : `, event AS (INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
         SELECT ${id(2)}, $1, 'test', n + 1, 'payment_completed', ${id(0)}, json_build_object('id', ${id(2)}, 'type', 'payment_completed', 'sequence', n + 1,
           'createdAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', json_build_object('id', ${id(0)}))::text, at FROM paid),
       delivery AS (INSERT INTO webhook_delivery (id, event_id, endpoint_id, status, attempt_count, created_at)
         SELECT ${id(3)}, ${id(2)}, '${endpointId}', 'delivered', 1, at FROM paid),
       webhook_attempt AS (INSERT INTO webhook_attempt (id, delivery_id, status_code, answer, latency_ms, started_at)
         SELECT ${id(4)}, ${id(3)}, 200, '', 40, at FROM paid)`;
  const tenant = tenantDigest({ organizationId, mode: 'test' });
  for (let start = from; start < to; start += perStatement) {
    const end = Math.min(start + perStatement, to) - 1;
    const values = [organizationId, start, end, first, last, from, to, tenant];
    await database.query(
      `WITH row AS MATERIALIZED (${rows}),
       paid AS (SELECT * FROM row WHERE is_paid),
       payment AS (INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, description, external_id,
           payer_name, payer_email, payer_document, payer_phone, pix_copy_paste, created_at, expires_at, confirmed_at, next_check_at)
         SELECT ${id(0)}, $1, 'test',
           (CASE WHEN is_pending THEN 'pending' WHEN is_paid THEN 'completed' ELSE 'expired' END)::"PaymentStatus",
           100 + n % 90000, 'sandbox', 'Order', 'order-' || n, 'Maria ' || n % 1000, 'p' || n || '@example.com',
           lpad(n::text, 11, '0'), '+55119' || lpad(n::text, 8, '0'), repeat('0', 180), at, at + interval '1 hour',
           CASE WHEN is_paid THEN at + (10 + n % 600) * interval '1 second' END,
           CASE WHEN is_pending THEN now() + interval '1 day' END FROM row),
       attempt AS (INSERT INTO payment_attempt (id, payment_id, position, provider, reason, outcome, psp_reference, latency_ms, created_at)
         SELECT ${id(1)}, ${id(0)}, 0, 'sandbox', 'sandbox', 'created', md5(n::text), 5, at FROM row),
       pix AS (INSERT INTO received_pix (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)
         SELECT $1, 'E00000000' || lpad(n::text, 23, '0'), ${id(0)}, ${id(1)}, 100 + n % 90000, at, at FROM paid)
       ${events}
       INSERT INTO payment_term (tenant, term, payment_id)
       SELECT $8::bigint, term, ${id(0)} FROM row, unnest(ARRAY['r:order-' || n, 'r:' || n, 'p:maria', 'p:' || n % 1000,
         'p:p' || n || '@example.com', 'p:' || lpad(n::text, 11, '0'), 'p:119' || lpad(n::text, 8, '0'),
         'p:9' || lpad(n::text, 8, '0'), 'c:c' || md5(n::text)]) AS t(term)`,
      values,
    );
  }
}

/** Drops what orders rows by other things than their time, and makes it again from all rows afterwards: much faster than row by row. */
async function withoutIndexes(admin: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await admin.query<{ drop: string; create: string }>(
    `SELECT coalesce('ALTER TABLE ' || indrelid::regclass || ' DROP CONSTRAINT ' || conname, 'DROP INDEX ' || indexrelid::regclass) AS drop,
       coalesce('ALTER TABLE ' || indrelid::regclass || ' ADD CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(c.oid),
         pg_get_indexdef(indexrelid)) AS create
     FROM pg_index LEFT JOIN pg_constraint c ON conindid = indexrelid AND contype = 'p'
     WHERE indrelid = ANY('{payment,payment_attempt,received_pix,event,webhook_delivery,webhook_attempt,payment_term}'::regclass[])
       AND (NOT indisprimary OR indrelid = 'payment_term'::regclass)`,
  );
  for (const { drop } of indexes) await admin.query(drop);
  await work();
  await admin.query(`SET maintenance_work_mem = '1GB'`);
  for (const { create } of indexes) await admin.query(create);
}

/** Makes `payments` of them, four fifths in one tenant. `admin` is a superuser, who can leave out triggers. */
export async function growDatabase(
  bench: Bench,
  admin: pg.Client,
  payments: number,
  { withEvents = true } = {},
): Promise<GrownDatabase> {
  const large = await bench.newTenant('Large');
  const foreign = await bench.newTenant('Foreign');
  const endpointOf = ({ organizationId }: Tenant) =>
    bench.pix('webhook', 'create', '--org', organizationId, '--mode', 'test', '--url', 'http://127.0.0.1:9/');
  const largeEndpoint = withEvents ? (await endpointOf(large)).id : undefined;
  const foreignEndpoint = withEvents ? (await endpointOf(foreign)).id : undefined;
  const own = Math.round(payments * share);
  const newer = Math.min(mostForeign, payments - own);
  // Neither foreign keys nor what notes hours: workers add up what was there before them.
  await admin.query('SET session_replication_role = replica');
  await withoutIndexes(admin, async () => {
    await insert(admin, large, largeEndpoint, { from: 0, to: own, first: 0, last: 0.98 });
    await insert(admin, foreign, foreignEndpoint, { from: own, to: payments - newer, first: 0, last: 0.98 });
    await insert(admin, foreign, foreignEndpoint, {
      from: payments - newer,
      to: payments,
      first: 0.985,
      last: 0.999,
    });
  });
  await admin.query('SET session_replication_role = origin');
  await admin.query(
    `INSERT INTO receipt_backfill (organization_id, before) SELECT id, now() + interval '2 days' FROM organization`,
  );
  // This is how workers leave it once they have gone through all payments.
  await admin.query('UPDATE payment_term_progress SET next_id = $1, settled_id = $1, backfill_id = $2', [
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '00000000-0000-0000-0000-000000000000',
  ]);
  await admin.query(
    `INSERT INTO event_counter (organization_id, mode, last_sequence)
     SELECT organization_id, mode, max(sequence) FROM event GROUP BY 1, 2
     ON CONFLICT (organization_id, mode) DO UPDATE SET last_sequence = excluded.last_sequence`,
  );
  await admin.query('VACUUM (ANALYZE)');
  const sample = Math.round(own / 2) - (Math.round(own / 2) % 8) + 1;
  const { rows } = await admin.query<{ sampleId: string; attemptId: string }>(
    `SELECT p.id AS "sampleId", a.id AS "attemptId" FROM payment p JOIN payment_attempt a ON a.payment_id = p.id
     WHERE organization_id = $1 AND mode = 'test' AND external_id = $2`,
    [large.organizationId, `order-${sample}`],
  );
  const [found] = rows;
  if (!found) throw new Error('the sample is a payment');
  return { large, sample, ...found };
}
