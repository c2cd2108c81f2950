import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { longTest } from '../../support/chance.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;
let credentialId: string;

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
  const [account] = live.accounts;
  if (!account) throw new Error('there is one account');
  ({ emulator, credentialId } = account);
});

afterEach(() => live.stop());

afterAll(() => app.stop());

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

const create = async (times: number): Promise<number[]> => {
  const made = [];
  for (let count = 0; count < times; count++) {
    made.push((await live.client.post('/v1/payments', { amount: 10 })).status);
  }
  await app.services.callRecorder.flush();
  return made;
};

/** Two calls that the provider answers: the look-up of a charge that cannot exist, and of the webhook. */
async function check(): Promise<void> {
  await app.services.credentials.check(operatorFor(live.organizationId), credentialId);
  await app.services.callRecorder.flush();
}

const healthNow = async () => {
  const [health] = await app.services.providerHealth.list(operatorFor(live.organizationId));
  if (!health) throw new Error('the credential is listed');
  return health;
};

/** Each look at a time of its own, as what was read is kept for seconds. */
async function conditions(mode: 'live' | 'test' = 'live'): Promise<string[]> {
  passSeconds(4);
  const found = await app.services.attention.list(operatorFor(live.organizationId, mode));
  return found.map(({ kind, subject }) => (subject ? `${kind} ${subject.id}` : kind));
}

test('calls of a credential are counted by outcome and duration, over an hour, a day and a week', async () => {
  expect(await create(3)).toEqual([201, 201, 201]);
  emulator.faults.add({ kind: 'reject_payer', operation: 'create' });
  expect(await create(1)).toEqual([400]);
  const { hour, day, week, days, lastSuccessAt, lastFailure, breakerOpen } = await healthNow();
  expect(days.map(({ calls, succeeded }) => [calls, succeeded])).toEqual([
    ...Array.from({ length: 6 }, () => [0, 0]),
    [4, 3],
  ]);
  for (const window of [hour, day, week]) {
    expect(window).toMatchObject({
      calls: 4,
      successRate: 0.75,
      outcomes: [
        { outcome: 'done', count: 3 },
        { outcome: 'rejected_payer', count: 1 },
      ],
      operations: [{ operation: 'createCharge', calls: 4 }],
    });
    expect(window.p50Ms).toBeGreaterThan(0);
    expect(window.p95Ms).toBeGreaterThanOrEqual(window.p50Ms ?? 0);
  }
  expect({ lastSuccessAt, lastFailure, breakerOpen }).toEqual({
    lastSuccessAt: clock,
    lastFailure: null,
    breakerOpen: false,
  });
  passSeconds(2 * 3_600);
  const later = await healthNow();
  expect([later.hour.calls, later.day.calls, later.week.calls]).toEqual([0, 4, 4]);
  expect(later.hour).toMatchObject({ successRate: null, p50Ms: null, outcomes: [] });
});

longTest('several nodes add to the same sums', async () => {
  await create(1);
  const other = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
  try {
    await other.services.credentials.check(operatorFor(live.organizationId), credentialId);
  } finally {
    // What it has not written yet, it writes before it ends.
    await other.stop();
  }
  const { operations } = (await healthNow()).hour;
  expect(operations.map(({ operation, calls }) => [operation, calls])).toEqual([
    ['createCharge', 1],
    ['findCharge', 1],
    ['findWebhook', 1],
  ]);
});

longTest('buckets have no gaps, and those of others are not found', async () => {
  await create(2);
  const of = app.services.providerHealth;
  const buckets = await of.buckets(operatorFor(live.organizationId), credentialId, 'hour');
  expect(buckets).toHaveLength(60);
  expect(buckets.at(-1)).toMatchObject({ calls: 2, successRate: 1 });
  expect(buckets.slice(0, -1).every(({ calls }) => calls === 0)).toBe(true);
  const { organizationId } = await createKey(app.services);
  await expect(of.buckets(operatorFor(organizationId), credentialId, 'hour')).rejects.toMatchObject({
    code: 'credential_not_found',
  });
  expect(await of.list(operatorFor(organizationId))).toEqual([]);
});

test('a provider that refuses every connection is an outage until it has answered for a minute', async () => {
  const outage = ['creations_failing', `provider_outage ${credentialId}`];
  expect(await conditions()).toEqual([]);
  await emulator.refuseConnections();
  expect(await create(2)).toEqual([500, 500]);
  expect(await conditions()).toEqual([]);
  expect(new Set(await create(8))).toEqual(new Set([500]));
  expect(await conditions()).toEqual(outage);
  expect(await healthNow()).toMatchObject({
    breakerOpen: true,
    hour: { calls: 10, successRate: 0, outcomes: [{ outcome: 'not_sent', count: 10 }], p95Ms: null },
    lastFailure: { operation: 'createCharge', outcome: 'not_sent', reason: 'unreachable' },
  });
  expect(await conditions('test')).toEqual([]);
  await emulator.acceptConnections();
  await check();
  expect(await conditions()).toEqual(outage);
  passSeconds(60);
  // No payment has succeeded since.
  expect(await conditions()).toEqual(['creations_failing']);
  passSeconds(15 * 60);
  expect(await conditions()).toEqual([]);
});

longTest('three failures in a row are an outage where calls are few', async () => {
  await emulator.refuseConnections();
  await create(2);
  passSeconds(600);
  expect(await conditions()).toEqual([]);
  await create(1);
  expect(await conditions()).toEqual(['creations_failing', `provider_outage ${credentialId}`]);
});

test('a refused credential is told apart from an outage, until the provider accepts it again', async () => {
  emulator.faults.add({ kind: 'reject_credential', times: 6 });
  await create(6);
  const refused = `credential_refused ${credentialId}`;
  expect(await conditions()).toEqual(['creations_failing', refused]);
  expect(await healthNow()).toMatchObject({
    hour: { outcomes: [{ outcome: 'refused', count: 6 }] },
    lastFailure: { outcome: 'refused', reason: 'wrong_key' },
  });
  await create(1);
  expect(await conditions()).toEqual(['creations_failing']);
});

longTest('a disabled credential asks for no attention, but one has to be the default', async () => {
  await emulator.refuseConnections();
  await create(6);
  await app.services.credentials.setEnabled(operatorFor(live.organizationId), credentialId, false);
  expect(await conditions()).toEqual(['creations_failing', 'no_default_credential']);
  const caller = operatorFor(live.organizationId);
  const settings = { appId: 'x' };
  const other = { provider: 'woovi', name: 'Other', settings, isDefault: false };
  const { id } = await app.services.credentials.create(caller, other);
  const rules = await app.services.ruleSets.create(caller, 'Main', { fallbackCredentialIds: [id] });
  expect(await conditions()).toContain('no_default_credential');
  await app.services.ruleSets.setDefault(caller, rules.id);
  expect(await conditions()).not.toContain('no_default_credential');
  await app.services.ruleSets.setDefault(caller, null);
  await app.services.defaultFallbacks.set(caller, [id]);
  expect(await conditions()).not.toContain('no_default_credential');
});

longTest('a certificate that expires soon asks for attention', async () => {
  const expireIn = (days: number) =>
    query(databaseUrl, 'UPDATE credential SET certificate_expires_at = $2 WHERE id = $1', [
      credentialId,
      new Date(clock.getTime() + days * 86_400_000),
    ]);
  await expireIn(31);
  expect(await conditions()).toEqual([]);
  await expireIn(29);
  expect(await conditions()).toEqual([`certificate_expiring ${credentialId}`]);
  const [condition] = await app.services.attention.list(operatorFor(live.organizationId));
  expect(condition).toMatchObject({ severity: 'warning', daysLeft: 28 });
});

test('sums are deleted once nobody can see them', async () => {
  await create(1);
  const count = async () => {
    const rows = await query<{ seconds: number }>(
      databaseUrl,
      'SELECT seconds FROM psp_call_sum WHERE credential_id = $1 ORDER BY 1',
      [credentialId],
    );
    return rows.map(({ seconds }) => seconds);
  };
  expect(await count()).toEqual([60, 3_600]);
  passSeconds(3 * 3_600);
  await app.services.retention.deleteOld(100);
  expect(await count()).toEqual([3_600]);
  passSeconds(9 * 86_400);
  await app.services.retention.deleteOld(100);
  expect(await count()).toEqual([]);
});
