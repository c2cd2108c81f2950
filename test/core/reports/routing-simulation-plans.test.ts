import { afterAll, beforeAll, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { longTest } from '../../support/chance.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { explain, pagesOf } from '../../support/explain.ts';

let app: TestApp;
const to = new Date('2026-03-10T12:00:00Z');
const from = new Date(to.getTime() - 10 * 86_400_000);

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
});

afterAll(() => app.stop());

/** An organization with so many payments, evenly over the period. */
async function openWith(payments: number): Promise<string> {
  const { id } = await app.services.organizations.create(`Test ${randomUUID()}`);
  const insert = (into: string, values: string) =>
    query(
      app.databaseUrl,
      `INSERT INTO ${into} SELECT ${values} FROM generate_series(0, $2::int - 1) AS n,
         LATERAL (SELECT $3::timestamptz + n * ($4::timestamptz - $3::timestamptz) / $2::int AS at) AS t,
         LATERAL (SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS hex) AS h,
         LATERAL (SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || right($1::text, 4)
           || lpad(to_hex(n), 8, '0'))::uuid AS id) AS i`,
      [id, payments, from, to],
    );
  await insert(
    'payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, confirmed_at)',
    `id, $1::uuid, 'live', 'completed', 1000 + n % 9000, 'woovi', at, at, at`,
  );
  await insert(
    'payment_attempt (id, payment_id, position, provider, reason, outcome, created_at)',
    `id, id, 0, 'woovi', 'default', 'created', at`,
  );
  return id;
}

longTest('a simulation reads no more pages beside and of many payments than of few', async () => {
  const [few, many] = [await openWith(12_000), await openWith(400_000)];
  while ((await app.services.paymentRollUp.advance(20_000)) > 0);
  await query(app.databaseUrl, 'VACUUM ANALYZE');
  const pagesFor = async (organizationId: string) => {
    const plans = await explain(app.databaseUrl, /payment/, async () => {
      const simulated = await app.services.routingSimulation.simulate(
        operatorFor(organizationId, 'live'),
        { ranges: [] },
        from,
        to,
      );
      expect(simulated.isEstimate).toBe(true);
      expect(simulated.sampled).toBeLessThanOrEqual(5_800);
    });
    return pagesOf(plans);
  };
  const [ofFew, ofMany] = [await pagesFor(few), await pagesFor(many)];
  // For each payment descents to it and to its attempts, and a page of each table.
  expect(ofMany).toBeLessThan(5_800 * 10);
  expect(ofMany).toBeLessThan(ofFew * 1.25);
});
