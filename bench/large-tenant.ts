// An organization with very many payments, and somebody who looks at them.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Bench, publicUrl, type Tenant } from './parts.ts';

const batches = 30;

/** Evenly over the days until now; three quarters of them are paid. */
export async function insertPayments(
  database: pg.Client,
  { organizationId }: Tenant,
  { payments, days }: { payments: number; days: number },
): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    await database.query(
      `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, description, external_id,
         pix_copy_paste, pix_qr_code_base64, refunded_in_cents, created_at, expires_at, confirmed_at)
       SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || lpad(to_hex(n % 4096), 3, '0')
           || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'test',
         CASE WHEN is_paid THEN 'completed' ELSE 'expired' END::"PaymentStatus", 100 + n % 90000, 'sandbox', 'Order',
         'order-' || n, repeat('0', 180), repeat('x', 900), CASE WHEN n % 50 = 0 THEN 50 ELSE 0 END, created_at, created_at,
         CASE WHEN is_paid THEN created_at + (10 + n % 600) * interval '1 second' END
       FROM generate_series($2::int, $3::int) AS n,
         LATERAL (SELECT n % 4 <> 0 AS is_paid, now() - $5 * interval '1 day' * (1 - n / $4::float8) AS created_at) AS c,
         LATERAL (SELECT lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') AS hex) AS h`,
      [organizationId, (payments / batches) * batch + 1, (payments / batches) * (batch + 1), payments, days],
    );
  }
  await database.query('ANALYZE payment');
}

/** Until a worker has added up all payments for the statistics, and all money received. Returns the seconds that it takes. */
export async function untilAddedUp(database: pg.Client): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await database.query<{ isDone: boolean }>(
      `SELECT before > now() - interval '6 minutes' AND NOT EXISTS (
         SELECT FROM payment_hour_change WHERE minute < before) AND NOT EXISTS (SELECT FROM receipt_change)
         AND NOT EXISTS (SELECT FROM receipt_backfill)
         AND NOT EXISTS (SELECT FROM payment_day WHERE NOT is_copied AND day < now() - interval '27 hours')
         AND NOT EXISTS (SELECT FROM receipt_day WHERE NOT is_copied AND day < now() - interval '27 hours')
         AS "isDone" FROM payment_roll_up`,
    );
    if (rows[0]?.isDone) return (performance.now() - startedAt) / 1000;
    await delay(500);
  }
}

/** Signs a viewer in; returns the cookie. */
export async function openSession(bench: Bench, { organizationId }: Tenant): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const options = ['--org', organizationId, '--email', email, '--role', 'viewer', '--name', 'Viewer'];
  const { temporaryPassword } = await bench.pix<{ temporaryPassword: string }>('user', 'create', ...options);
  const post = async (path: string, body: object, cookie = '') => {
    const response = await fetch(`${bench.baseUrl}/auth${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: publicUrl, Cookie: cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
  };
  const newPassword = randomUUID();
  const first = await post('/sign-in/email', { email, password: temporaryPassword });
  await post('/change-password', { currentPassword: temporaryPassword, newPassword }, first);
  return post('/sign-in/email', { email, password: newPassword });
}
