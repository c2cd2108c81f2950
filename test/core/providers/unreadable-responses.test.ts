import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { checkAt } from '../../support/payment-checks.ts';
import { openSession } from '../../support/people.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let app: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;
let credentialId: string;

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

const create = () => live.client.post('/v1/payments', { amount: 10, payer });

/** Makes a payment whose create got a response wrapped in something unknown, and whose look-up failed. */
async function createUnread(): Promise<string> {
  emulator.faults.add({ operation: 'create', kind: 'wrap' });
  emulator.faults.add({ operation: 'find', kind: 'error' });
  expect(await create()).toMatchObject({ status: 500 });
  await app.services.unreadableResponses.drain();
  const [payment] = await query<{ id: string }>(
    app.databaseUrl,
    'SELECT id FROM payment WHERE organization_id = $1 ORDER BY id DESC LIMIT 1',
    [live.organizationId],
  );
  return payment?.id ?? '';
}

const responses = (organizationId = live.organizationId) =>
  app.services.unreadableResponses.ofCredential(operatorFor(organizationId), credentialId);

beforeAll(async () => {
  // Has no workers, which would ask about the lost charges.
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => new Date(), ['woovi', woovi]);
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  ({ emulator, credentialId } = account);
});

afterEach(() => live.stop());

afterAll(() => app.stop());

const operation = 'createCharge';
const problem = "the provider's response is unreadable: charge";

test('a response that cannot be read is kept with its attempt, sealed, and confirms nothing', async () => {
  const paymentId = await createUnread();
  const [attempt] = await query<{ id: string; outcome: string }>(
    app.databaseUrl,
    'SELECT id, outcome::text FROM payment_attempt WHERE payment_id = $1',
    [paymentId],
  );
  expect(attempt?.outcome).toBe('unknown');
  const kept = await responses();
  expect(kept).toMatchObject([
    { credentialId, operation, problem, httpStatus: 200, paymentId, attemptId: attempt?.id },
  ]);
  const { data } = JSON.parse(kept[0]?.body ?? '') as { data: { charge: { correlationID: string } } };
  expect(data.charge.correlationID).toBe(emulator.ledger.charges[0]?.transactionId);
  const stored = await query<{ sealed_body: string }>(
    app.databaseUrl,
    'SELECT sealed_body FROM unreadable_response WHERE credential_id = $1',
    [credentialId],
  );
  expect(stored[0]?.sealed_body).toMatch(/^v1\./);
  expect(stored[0]?.sealed_body).not.toContain('correlationID');
});

test('the same about the same charge is kept once an hour', async () => {
  emulator.faults.add({ operation: 'create', kind: 'wrap' });
  emulator.faults.add({ operation: 'find', kind: 'wrap', times: 3 });
  await create();
  for (let look = 0; look < 2; look++) {
    await query(
      app.databaseUrl,
      'UPDATE payment_attempt SET next_check_at = now() WHERE credential_id = $1',
      [credentialId],
    );
    await app.services.reconciliation.payment_attempt(10).catch(() => undefined);
  }
  await app.services.unreadableResponses.drain();
  expect((await responses()).map((each) => each.operation)).toEqual(['findCharge', 'createCharge']);
});

test('a provider that breaks for everything stores at most 30 a minute, of which 100 are kept', async () => {
  const { keep, drain } = app.services.unreadableResponses;
  const unread = { credentialId, operation, problem, response: { status: 200, body: '{}' } } as const;
  for (let count = 0; count < 40; count++)
    keep({ ...unread, transactionId: String(count).padStart(32, '0') });
  await drain();
  expect(await responses()).toHaveLength(30);
  await query(
    app.databaseUrl,
    `INSERT INTO unreadable_response (id, credential_id, operation, http_status, problem, sealed_body, created_at)
     SELECT overlay(gen_random_uuid()::text placing '00000000' from 1 for 8)::uuid, credential_id, operation, http_status,
       problem, sealed_body, created_at FROM unreadable_response, generate_series(1, 3) WHERE credential_id = $1`,
    [credentialId],
  );
  const restarted = await startTestApp({ ROLE: 'api' });
  try {
    restarted.services.unreadableResponses.keep({ ...unread, transactionId: 'f'.repeat(32) });
    await restarted.services.unreadableResponses.drain();
  } finally {
    await restarted.stop();
  }
  const [count] = await query<{ count: number }>(
    app.databaseUrl,
    'SELECT count(*)::int AS count FROM unreadable_response WHERE credential_id = $1',
    [credentialId],
  );
  expect(count?.count).toBe(100);
  expect((await responses())[0]?.attemptId).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
});

test('a list that cannot be read is kept, once for all of its pages', async () => {
  const id = (await create()).body.id as string;
  for (let round = 0; round < 2; round++) {
    emulator.faults.add({ operation: 'other', kind: 'wrap' });
    await checkAt(app.databaseUrl, id, new Date(Date.now() - 60_000));
    await app.services.reconciliation.payment(10);
    await query(
      app.databaseUrl,
      "UPDATE psp_sweep SET next_check_at = now() - interval '1 minute' WHERE credential_id = $1",
      [credentialId],
    );
    await app.services.reconciliation.psp_sweep(10);
  }
  await app.services.unreadableResponses.drain();
  expect(await responses()).toMatchObject([
    { operation: 'listReceived', httpStatus: 200, paymentId: null, body: expect.stringContaining('{') },
  ]);
});

describe('a notification that cannot be read', () => {
  let account: LiveOrganization;
  beforeEach(async () => {
    account = await openLiveOrganization(app, () => new Date(), ['asaas', asaas]);
  });
  afterEach(() => account.stop());

  const send = (body: string, token = 'emulated-webhook-token-0123456789') =>
    fetch(account.accounts[0]?.emulator.notifier.address ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'asaas-access-token': token },
      body,
    });
  const kept = async () => {
    await app.services.unreadableResponses.drain();
    const { organizationId, accounts } = account;
    return app.services.unreadableResponses.ofCredential(
      operatorFor(organizationId),
      accounts[0]?.credentialId ?? '',
    );
  };

  test('is kept if it is genuine, once however often it is repeated', async () => {
    const body = `{"event":"PAYMENT_RECEIVED","payment":"${'x'.repeat(20_000)}"}`;
    for (let time = 0; time < 2; time++) expect((await send(body)).status).toBe(200);
    expect(await kept()).toMatchObject([
      {
        operation: 'notification',
        httpStatus: 200,
        problem: 'the notification is unreadable',
        paymentId: null,
      },
    ]);
    expect((await kept())[0]?.body).toBe(body.slice(0, 16_384));
  });

  test('is not kept if it is forged', async () => {
    expect((await send('{', 'another')).status).toBe(401);
    expect(await kept()).toEqual([]);
  });

  test('neither crowds out responses, nor is one of more than 30 a minute', async () => {
    const [{ credentialId: id } = { credentialId: '' }] = account.accounts;
    const { keep } = app.services.unreadableResponses;
    await Promise.all(Array.from({ length: 35 }, (_, index) => send(`${index}`)));
    const response = { status: 200, body: '{}' };
    keep({ credentialId: id, operation, problem, response, transactionId: '0'.repeat(32) });
    expect((await kept()).map((each) => each.operation).toSorted()).toEqual([
      operation,
      ...Array.from({ length: 30 }, () => 'notification'),
    ]);
  });

  test('is shown to a developer, which the audit log records, and to no supporter', async () => {
    await send('{');
    await kept();
    const { organizationId, accounts } = account;
    const text = `{ credentialUnreadableResponses(id: "${accounts[0]?.credentialId}", first: 1) { operation body } }`;
    const read = async (role: 'developer' | 'support') => {
      const { client } = await openSession(app, { role, organizationId, mode: 'live' });
      return (await client.graphql(text)).body;
    };
    expect((await read('developer')).data).toEqual({
      credentialUnreadableResponses: [{ operation: 'notification', body: '{' }],
    });
    expect((await read('support')).errors).toHaveLength(1);
    await app.services.auditQueue.drain();
    const entries = await query(
      app.databaseUrl,
      `SELECT FROM audit_entry WHERE organization_id = $1 AND action = 'payer.view' AND user_id IS NOT NULL`,
      [organizationId],
    );
    expect(entries).toHaveLength(1);
  });
});

test('another organization does not see them', async () => {
  await createUnread();
  const stranger = await app.services.organizations.create('Stranger');
  await expect(responses(stranger.id)).rejects.toMatchObject({ code: 'credential_not_found' });
});

describe('the page of a payment', () => {
  const page = (id: string) =>
    `{ paymentDetail(id: "${id}") { unreadableResponses { operation problem httpStatus body } } }`;
  const read = async (client: Client, text: string) =>
    (await client.graphql(text)).body.data.paymentDetail.unreadableResponses as { body?: string | null }[];
  const views = async () => {
    app.services.payerViews.flush();
    await app.services.auditQueue.drain();
    return query<{ subject: string }>(
      app.databaseUrl,
      `SELECT subject FROM audit_entry WHERE organization_id = $1 AND action = 'payer.view'`,
      [live.organizationId],
    );
  };
  const member = async (role: 'support' | 'viewer') =>
    (await openSession(app, { role, organizationId: live.organizationId, mode: 'live' })).client;

  test('shows them to whoever may see payers, which the audit log records', async () => {
    const id = await createUnread();
    const client = await member('support');
    expect(await read(client, page(id).replace(' body', ''))).toEqual([
      { operation, problem, httpStatus: 200 },
    ]);
    expect(await views()).toEqual([]);
    const [shown] = await read(client, page(id));
    expect(shown?.body).toContain('correlationID');
    expect(await views()).toEqual([{ subject: id }]);
  });

  test('hides their bodies from a viewer', async () => {
    const id = await createUnread();
    expect(await read(await member('viewer'), page(id))).toEqual([
      { operation, problem, httpStatus: 200, body: null },
    ]);
    expect(await views()).toEqual([]);
  });
});
