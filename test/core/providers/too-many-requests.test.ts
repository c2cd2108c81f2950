import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { endChecks } from '../../support/payment-checks.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let first: PspEmulator;
let second: PspEmulator;

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

const secondsUntilChecked = async (table: string, condition: string, id: string): Promise<number | null> => {
  const [row] = await query<{ at: Date | null }>(
    databaseUrl,
    `SELECT next_check_at AS at FROM ${table} WHERE ${condition} = $1 ORDER BY next_check_at`,
    [id],
  );
  return row?.at ? Math.round((row.at.getTime() - clock.getTime()) / 1_000) : null;
};

async function create(credentialId?: string): Promise<{ status: number; id: string }> {
  const { status, body } = await live.client.post('/v1/payments', { amount: 10, payer, credentialId });
  return { status, id: body.id as string };
}

const statusOf = async (id: string) => (await live.client.get(`/v1/payments/${id}`)).body.status as string;

const transactionOf = (emulator: PspEmulator) => emulator.ledger.charges.at(-1)?.transactionId ?? '';

const attemptsOf = (paymentId: string) =>
  query(
    databaseUrl,
    `SELECT outcome::text, error FROM payment_attempt WHERE payment_id = $1 ORDER BY position`,
    [paymentId],
  );

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['woovi', woovi], ['asaas', asaas]);
  [first, second] = live.accounts.map(({ emulator }) => emulator) as [PspEmulator, PspEmulator];
});

afterEach(async () => {
  await live.stop();
  // Otherwise it would be due in later tests, when the clock has moved on.
  await endChecks(databaseUrl);
  for (const table of ['payment_attempt', 'refund', 'psp_notification']) {
    await query(databaseUrl, `UPDATE ${table} SET next_check_at = NULL`);
  }
});

afterAll(() => app.stop());

describe('a create that meets 429', () => {
  test('makes the charge at the next candidate at once, and says why', async () => {
    first.quota.set({ requests: 0, windowSeconds: 600 });
    const [one, other] = live.accounts.map(({ credentialId }) => credentialId);
    const [ruleSet] = await query<{ id: string }>(
      databaseUrl,
      `INSERT INTO rule_set (id, organization_id, name, default_credential_id, fallback_credential_ids, created_at)
       VALUES (gen_random_uuid(), $1, 'Two', $2, ARRAY[$3]::uuid[], now()) RETURNING id`,
      [live.organizationId, one, other],
    );
    const { status, body } = await live.client.post('/v1/payments', {
      amount: 10,
      payer,
      ruleSetId: ruleSet?.id,
    });
    expect(status).toBe(201);
    expect(body.provider).toBe('asaas');
    expect(await attemptsOf(body.id)).toEqual([
      { outcome: 'not_sent', error: 'too many requests for the provider (HTTP 429)' },
      { outcome: 'created', error: null },
    ]);
    expect(first.quota.refusedCount()).toBe(1);
  });

  test('opens no breaker: the charge is made as soon as the provider takes requests again', async () => {
    first.quota.set({ requests: 0, says: 'nothing' });
    for (let count = 0; count < 8; count++) expect((await create()).status).toBe(500);
    first.quota.clear();
    expect((await create()).status).toBe(201);
  });

  test('for its code alone is looked up when the provider takes requests again', async () => {
    second.faults.add({ kind: 'busy', operation: 'code', times: 2 });
    const credentialId = live.accounts[1]?.credentialId ?? '';
    expect((await create(credentialId)).status).toBe(500);
    expect(await secondsUntilChecked('payment_attempt', 'credential_id', credentialId)).toBe(1);
    passSeconds(1);
    expect(await app.services.reconciliation.payment_attempt(10)).toBe(1);
    expect(second.ledger.charges.at(-1)?.isCancelled).toBe(true);
  });
});

describe('a look at a payment that meets 429', () => {
  test.each(['retry_after', 'retry_date', 'reset', 'reset_epoch'] as const)(
    'is taken again when the provider says: %s',
    async (says) => {
      const { id } = await create();
      passSeconds(30);
      first.quota.set({ requests: 0, windowSeconds: 240, says });
      expect(await app.services.reconciliation.payment(10)).toBe(1);
      const seconds = await secondsUntilChecked('payment_check', 'payment_id', id);
      expect(Math.abs((seconds ?? 0) - 240)).toBeLessThanOrEqual(3);
    },
  );

  test('is taken again after a minute when the provider does not say', async () => {
    const { id } = await create();
    passSeconds(600);
    first.quota.set({ requests: 0, says: 'nothing' });
    expect(await app.services.reconciliation.payment(10)).toBe(1);
    expect(await secondsUntilChecked('payment_check', 'payment_id', id)).toBe(60);
  });
});

describe('a notified confirmation that meets 429', () => {
  test('waits for its turn and is not lost', async () => {
    const credentialId = live.accounts[1]?.credentialId ?? '';
    const { id } = await create(credentialId);
    second.quota.set({ requests: 0, windowSeconds: 20 });
    await second.pay(transactionOf(second));
    await app.services.notifications.drain();
    expect(await statusOf(id)).toBe('pending');
    expect(await secondsUntilChecked('psp_notification', 'credential_id', credentialId)).toBe(20);
    passSeconds(20);
    second.quota.clear();
    expect(await app.services.reconciliation.psp_notification(10)).toBe(1);
    expect(await statusOf(id)).toBe('completed');
  });
});

describe('a refund that meets 429', () => {
  test('stays pending until the provider takes requests again', async () => {
    const { id } = await create();
    await first.pay(transactionOf(first));
    await app.services.notifications.drain();
    first.quota.set({ requests: 0, windowSeconds: 15 });
    const { body } = await live.client.post(`/v1/payments/${id}/refunds`, {});
    expect(body.status).toBe('pending');
    expect(await secondsUntilChecked('refund', 'id', body.id)).toBe(15);
    passSeconds(15);
    first.quota.clear();
    expect(await app.services.reconciliation.refund(10)).toBe(1);
    expect(first.ledger.charges.at(-1)?.refunds).toHaveLength(1);
  });
});

test('a cancel that meets 429 says when to try again', async () => {
  const { id } = await create();
  first.quota.set({ requests: 0, windowSeconds: 33 });
  const { status, headers } = await live.client.post(`/v1/payments/${id}/cancel`);
  expect(status).toBeGreaterThanOrEqual(500);
  expect(headers.get('Retry-After')).toBe('33');
});
