import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { newId } from '../../../src/core/base/ids.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { query } from '../../support/database.ts';
import { insertCredential, type TestCredential } from '../../support/routing.ts';

let app: TestApp;
let caller: OperatorCaller;
let usual: TestCredential;
let other: TestCredential;

const hourMs = 3_600_000;
const to = new Date('2026-03-10T12:00:00Z');
const from = new Date(to.getTime() - 24 * hourMs);

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id);
  const { organizationId } = caller;
  usual = await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi', isDefault: true });
  other = await insertCredential(app.databaseUrl, organizationId, { provider: 'pagarme' });
});

afterAll(() => app.stop());

interface Past {
  at: Date;
  amount?: number;
  credentialId?: string;
  reason?: string;
  columns?: Record<string, unknown>;
}

/** Payments as they are stored once their charges were made. */
async function insertPast(past: readonly Past[]): Promise<void> {
  const rows = past.map(
    ({ at, amount = 1_000, credentialId = usual.id, reason = 'default', columns = {} }) => ({
      id: newId(at),
      attempt_id: newId(at),
      organization_id: caller.organizationId,
      mode: caller.mode,
      status: 'completed',
      amount_in_cents: amount,
      provider: 'woovi',
      created_at: at,
      expires_at: at,
      confirmed_at: at,
      credential_id: credentialId,
      reason,
      ...columns,
    }),
  );
  const json = JSON.stringify(rows);
  await query(
    app.databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, confirmed_at,
       credential_id, due_date, recurrence_id)
     SELECT id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, confirmed_at, credential_id,
       due_date, recurrence_id FROM json_populate_recordset(NULL::payment, $1)`,
    [json],
  );
  await query(
    app.databaseUrl,
    `INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, created_at)
     SELECT attempt_id, id, 0, provider, credential_id, reason, 'created', created_at
     FROM json_to_recordset($1) AS r(attempt_id uuid, id uuid, provider text, credential_id uuid, reason text, created_at timestamptz)`,
    [json],
  );
}

const minutesAfter = (minutes: number) => new Date(from.getTime() + minutes * 60_000);
const simulate = (rules: object, [begin, end] = [from, to]) =>
  app.services.routingSimulation.simulate(caller, rules, begin, end);
const paymentsOf = ({ shares }: { shares: { credentialId: string | null; payments: number }[] }) =>
  Object.fromEntries(shares.map(({ credentialId, payments }) => [credentialId, payments]));

test('a period without payments has no shares, and says that it is too little', async () => {
  const nothing = { shares: [], notCreated: 0 };
  expect(await simulate({ ranges: [] })).toEqual({
    payments: 0,
    leftOut: 0,
    sampled: 0,
    isEstimate: false,
    isTooLittle: true,
    before: nothing,
    after: nothing,
  });
});

test('what a rule set would have changed is counted payment by payment while they are few', async () => {
  await insertPast(
    Array.from({ length: 120 }, (_, place) => ({
      at: minutesAfter(place * 7),
      amount: place < 40 ? 500 : 5_000,
    })),
  );
  const simulated = await simulate({ ranges: [{ from: 0.01, to: 10, credentialId: other.id }] });
  expect(simulated).toMatchObject({
    payments: 120,
    leftOut: 0,
    sampled: 120,
    isEstimate: false,
    isTooLittle: false,
  });
  expect(simulated.before.shares).toEqual([
    { credentialId: usual.id, payments: 120, share: 1, failures: 0, fees: null },
  ]);
  expect(simulated.after.shares).toEqual([
    { credentialId: usual.id, payments: 80, share: 80 / 120, failures: 0, fees: null },
    { credentialId: other.id, payments: 40, share: 40 / 120, failures: null, fees: null },
  ]);
});

test('fees are those that the credentials have now, of payments that were paid', async () => {
  await insertPast([
    { at: minutesAfter(1), amount: 10_000 },
    { at: minutesAfter(2), amount: 20_000, columns: { confirmed_at: null, status: 'expired' } },
    { at: minutesAfter(3), amount: 30_000 },
  ]);
  const fees = {
    partsPerMillion: 10_000,
    fixedInCents: 0,
    minimumInCents: null,
    maximumInCents: 200,
    since: '2026-12-01',
  };
  const setFees = (id: string, terms: object) =>
    query(app.databaseUrl, 'UPDATE credential SET fees = $2 WHERE id = $1', [id, JSON.stringify(terms)]);
  await setFees(usual.id, fees);
  const feesOf = ({ shares }: { shares: { fees: number | null }[] }) => shares.map((share) => share.fees);
  const simulated = await simulate({ defaultCredentialId: other.id });
  expect([feesOf(simulated.before), feesOf(simulated.after)]).toEqual([[3], [null]]);
  await setFees(other.id, { ...fees, partsPerMillion: 5_000, maximumInCents: null });
  expect(feesOf((await simulate({ defaultCredentialId: other.id })).after)).toEqual([2]);
});

test('payments on which rules do not decide are left out', async () => {
  await insertPast([
    { at: minutesAfter(1) },
    { at: minutesAfter(2), reason: 'requested' },
    { at: minutesAfter(3), columns: { due_date: '2026-03-20' } },
    { at: minutesAfter(4), columns: { recurrence_id: randomUUID() } },
    { at: new Date(from.getTime() - 1) },
    { at: to },
  ]);
  expect(await simulate({ ranges: [] })).toMatchObject({ payments: 1, leftOut: 3, isTooLittle: true });
});

test('a period with many payments is estimated from a sample, whose hours weigh as much as they have payments', async () => {
  // Most come at the beginning of two hours; a tenth is small.
  const burst = (hour: number, count: number, credentialId: string) =>
    Array.from({ length: count }, (_, place) => ({
      at: new Date(from.getTime() + hour * hourMs + place * 30),
      amount: place % 10 === 0 ? 500 : 5_000,
      credentialId,
    }));
  const past = [...burst(2, 9_000, usual.id), ...burst(9, 3_000, other.id), ...burst(20, 40, usual.id)];
  await insertPast(past);
  const rules = { ranges: [{ from: 0.01, to: 10, credentialId: other.id }], defaultCredentialId: usual.id };
  const simulated = await simulate(rules);
  expect(simulated).toMatchObject({ payments: 12_040, isEstimate: true, isTooLittle: false });
  expect(simulated.sampled).toBeLessThanOrEqual(5_100);
  expect(paymentsOf(simulated.before)).toEqual({ [usual.id]: 9_040, [other.id]: 3_000 });
  const small = paymentsOf(simulated.after)[other.id] ?? 0;
  // Four times what chance makes of a tenth in a sample of so many.
  expect(Math.abs(small - 1_204)).toBeLessThan(400);
  expect(await simulate(rules)).toEqual(simulated);
});

test('a sample sees bursts as what they are, and nothing from before the period', async () => {
  // Half of a quarter of an hour's payments come in its first seconds, and are small.
  const quarter = (place: number) =>
    Array.from({ length: 800 }, (_, index) => ({
      at: new Date(from.getTime() + place * (hourMs / 4) + (index < 400 ? index * 10 : index * 1_000)),
      amount: index < 400 ? 500 : 5_000,
    }));
  await insertPast(Array.from({ length: 16 }, (_, place) => quarter(place)).flat());
  const rules = { ranges: [{ from: 0.01, to: 10, credentialId: other.id }], defaultCredentialId: usual.id };
  const simulated = await simulate(rules, [minutesAfter(30), to]);
  expect(simulated).toMatchObject({ payments: 14 * 800, leftOut: 0, isEstimate: true });
  const small = paymentsOf(simulated.after)[other.id] ?? 0;
  expect(Math.abs(small - 14 * 400)).toBeLessThan(350);
});

test('rules, periods and credentials that cannot be are refused', async () => {
  const code = { code: 'invalid_request' };
  await expect(simulate({ ranges: [{ from: 2, to: 1, credentialId: usual.id }] })).rejects.toMatchObject(
    code,
  );
  await expect(simulate({ defaultCredentialId: randomUUID() })).rejects.toMatchObject(code);
  await expect(simulate({}, [to, from])).rejects.toMatchObject(code);
  await expect(simulate({}, [new Date(to.getTime() - 93 * 24 * hourMs), to])).rejects.toMatchObject(code);
  const { id } = await app.services.organizations.create(`Other ${randomUUID()}`);
  const foreign = app.services.routingSimulation.simulate(
    operatorFor(id),
    { defaultCredentialId: usual.id },
    from,
    to,
  );
  await expect(foreign).rejects.toMatchObject(code);
});
