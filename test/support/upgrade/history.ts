import type pg from 'pg';

const id = (kind: string, n = 'n'): string =>
  `('01900000-0000-7000-${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const [payment, attempt, event, refund, entry] = ['8001', '8002', '8003', '8004', '8005'].map((kind) =>
  id(kind),
);
const created = `now() - interval '90 days' * (1 - n / $2::float8)`;
const isPaid = 'n % 4 <> 0';
/** The whole of some is refunded, a part of others. */
const isRefunded = 'n % 50 IN (1, 2)';
const refunded = 'CASE n % 50 WHEN 1 THEN 1000 ELSE 400 END';

/** By the columns of 1.0, which later releases have too. */
const statements = [
  `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, attempt_id, description,
     external_id, pix_copy_paste, pix_qr_code_base64, refunded_in_cents, created_at, expires_at, confirmed_at)
   SELECT ${payment}, $1::uuid, 'test', (CASE WHEN n % 4 = 0 THEN 'expired' WHEN n % 50 = 1 THEN 'refunded'
       ELSE 'completed' END)::"PaymentStatus", 1000, 'sandbox', ${attempt}, 'Order', 'order-' || n, repeat('0', 180),
     repeat('x', 900), CASE WHEN ${isPaid} AND ${isRefunded} THEN ${refunded} ELSE 0 END, ${created}, ${created},
     CASE WHEN ${isPaid} THEN ${created} + interval '1 minute' END
   FROM generate_series(1, $2::int) AS n`,
  `INSERT INTO payment_attempt (id, payment_id, position, provider, reason, outcome, created_at)
   SELECT ${attempt}, ${payment}, 0, 'sandbox', 'default of ' || $1::uuid, 'created', ${created}
   FROM generate_series(1, $2::int) AS n`,
  `INSERT INTO received_pix (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)
   SELECT $1::uuid, 'E' || lpad(n::text, 31, '0'), ${payment}, ${attempt}, 1000, ${created}, ${created}
   FROM generate_series(1, $2::int) AS n WHERE ${isPaid}`,
  `INSERT INTO refund (id, payment_id, attempt_id, end_to_end_id, amount_in_cents, status, created_at)
   SELECT ${refund}, ${payment}, ${attempt}, 'E' || lpad(n::text, 31, '0'), ${refunded},
     'completed', ${created}
   FROM generate_series(1, $2::int) AS n WHERE ${isPaid} AND ${isRefunded} AND $1::uuid IS NOT NULL`,
  `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
   SELECT ${event}, $1::uuid, 'test', row_number() OVER (), 'payment_completed', ${payment}, repeat('{}', 300), ${created}
   FROM generate_series(1, $2::int) AS n WHERE ${isPaid}`,
  `INSERT INTO event_counter (organization_id, mode, last_sequence)
   SELECT $1::uuid, 'test', count(*) FROM event WHERE organization_id = $1::uuid AND $2::int > 0`,
  `INSERT INTO audit_entry (id, organization_id, actor, action, created_at)
   SELECT ${entry}, $1::uuid, 'operator', 'key.create', ${created} FROM generate_series(1, $2::int / 10) AS n`,
];

/** Ninety days of an organization with so many payments, three quarters of them paid. */
export async function insertHistory(
  client: pg.Client,
  organizationId: string,
  payments: number,
): Promise<void> {
  for (const statement of statements) await client.query(statement, [organizationId, payments]);
  await client.query('ANALYZE');
}
