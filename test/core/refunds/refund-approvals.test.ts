import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { fromBrasilia, brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import type { Role } from '../../../src/core/base/roles.ts';
import { operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Answer, type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { createPerson, openSession } from '../../support/people.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { EmulatedCharge, EmulatedPix } from '../../support/psp-emulator/ledger.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const dayMs = 24 * 3_600_000;
const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };

let clock: Date;
let databaseUrl: string;
let app: TestApp;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // Has no workers of its own: the tests run them.
  app = await startTestApp(
    { DATABASE_URL: databaseUrl, ROLE: 'api', TRUST_PROXY: '1' },
    { now: () => clock },
  );
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.stop()));
});

afterAll(() => app.stop());

const pass = (milliseconds: number): void => {
  clock = new Date(clock.getTime() + milliseconds);
};

async function person(organizationId: string, role: Role): Promise<PersonCaller> {
  const { userId } = await createPerson(app, { organizationId, role });
  const session = { sessionId: randomUUID(), mustChangePassword: false };
  return { kind: 'person', userId, organizationId, mode: 'live', role, ...session };
}

const changeSettings = (organizationId: string, change: object) =>
  app.services.organizationSettings.update(operatorFor(organizationId), change);

describe('a live refund above the threshold', () => {
  let live: LiveOrganization;
  let ana: PersonCaller;
  let paymentId: string;

  async function open(...psp: [provider: string, define: DefinePsp]) {
    live = await openLiveOrganization(app, () => clock, psp);
    opened.push(live);
    ana = await person(live.organizationId, 'owner');
    await person(live.organizationId, 'owner');
    await changeSettings(live.organizationId, { refundApprovalAbove: 5 });
    paymentId = await paid();
  }

  async function paid(): Promise<string> {
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer, externalId: 'order-1' });
    const { emulator } = live.accounts[0] ?? {};
    await emulator?.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
    const status = async () => (await live.client.get(`/v1/payments/${body.id}`)).body.status;
    await eventually(async () => expect(await status()).toBe('completed'));
    return body.id as string;
  }

  beforeEach(() => open('woovi', woovi));

  const refund = (amount: number, headers: Record<string, string> = {}): Promise<Answer> => {
    pass(1);
    return live.client.post(`/v1/payments/${paymentId}/refunds`, { amount, reason: 'Wrong size' }, headers);
  };
  const refunds = async () => (await live.client.get(`/v1/payments/${paymentId}/refunds`)).body.data;
  const sent = () =>
    live.accounts[0]?.emulator.requests.filter(({ operation }) => operation === 'refund').length;
  const made = () => live.accounts[0]?.emulator.ledger.charges.flatMap((charge) => charge.refunds).length;
  const events = async () =>
    (await live.client.get('/v1/events')).body.data.map((event: { type: string }) => event.type);
  const requestId = async () => {
    const { data } = await app.services.approvals.list(ana, {
      pendingOnly: true,
      limit: 1,
      cursor: undefined,
    });
    return data[0]?.id ?? '';
  };
  const settleLater = async (milliseconds: number) => {
    pass(milliseconds);
    await app.services.reconciliation.refund(100);
  };

  test('does not pass for what somebody gives back in the panel while it waits', async () => {
    await refund(6);
    const emulator = live.accounts[0]?.emulator as PspEmulator;
    const charge = emulator.ledger.charges.at(-1) as EmulatedCharge;
    const pix = charge.pix[0] as EmulatedPix;
    const panel = { refundId: 'panel', reference: '4000', endToEndId: pix.endToEndId };
    emulator.ledger.refund(charge, { ...panel, amountInCents: cents(600), status: 'completed' });
    await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
    await app.services.notifications.drain();
    expect((await live.client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ amountRefunded: 6 });
  });

  test('waits, is not sent by any worker, and reserves its amount', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { status, body } = await refund(6, headers);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { status: 'pending', awaitingApproval: true },
    });
    await settleLater(3_600_000);
    expect(sent()).toBe(0);
    const again = await refund(6, headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual(body);
    expect(await refunds()).toEqual([body]);
    expect(await refund(4.01)).toMatchObject({ status: 400 });
    expect(await app.services.approvals.pendingCount(ana)).toBe(1);
    const log = await app.services.audit.list(ana, { limit: 1, cursor: undefined });
    expect(log.data).toMatchObject([{ action: 'approval.request', details: { change: 'payment.refund' } }]);
  });

  test('is made once someone approves it, and is returned for its key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await refund(6, headers);
    const { request } = await app.services.approvals.approve(ana, await requestId());
    expect(request).toMatchObject({
      action: 'payment.refund',
      subject: paymentId,
      after: { amount: 6, paymentAmount: 10, reason: 'Wrong size', externalId: 'order-1' },
      status: 'approved',
    });
    expect(sent()).toBe(1);
    const { refundRequests } = await app.services.investigation.detail(ana, paymentId);
    expect(refundRequests).toMatchObject([{ approvedBy: request.decidedBy, approvedAt: clock }]);
    expect(request.decidedBy).toContain('@example.com');
    live.accounts[0]?.emulator.ledger.charges.forEach((charge) => {
      for (const each of charge.refunds) each.status = 'completed';
    });
    await settleLater(60_000);
    const [completed] = await refunds();
    expect(completed).toMatchObject({ amount: 6, status: 'completed' });
    expect(completed).not.toHaveProperty('awaitingApproval');
    expect((await refund(6, headers)).body).toEqual(completed);
    expect(await events()).toEqual(['payment_completed', 'refund_completed']);
    expect(made()).toBe(1);
  });

  const ends: [how: string, end: (id: string) => Promise<unknown>][] = [
    ['rejected', (id) => app.services.approvals.reject(ana, id, 'Not this one')],
    [
      'not decided for seven days',
      async () => {
        pass(7 * dayMs);
        await app.services.approvals.expireOverdue(100);
      },
    ],
    [
      'approved when the money has left already',
      async (id) => {
        await query(databaseUrl, 'UPDATE received_pix SET returned_in_cents = 500 WHERE payment_id = $1', [
          paymentId,
        ]);
        const { request } = await app.services.approvals.approve(ana, id);
        expect(request).toMatchObject({
          status: 'failed',
          reason: expect.stringContaining('can no longer be refunded'),
        });
        await query(databaseUrl, 'UPDATE received_pix SET returned_in_cents = 0 WHERE payment_id = $1', [
          paymentId,
        ]);
      },
    ],
  ];

  test.each(ends)('fails when it is %s, emits an event, and can be requested again', async (_how, end) => {
    await refund(10);
    await end(await requestId());
    expect(await refunds()).toMatchObject([{ status: 'failed', failureReason: 'not_approved' }]);
    expect((await refunds())[0]).not.toHaveProperty('awaitingApproval');
    expect(await events()).toEqual(['payment_completed', 'refund_failed']);
    await settleLater(3_600_000);
    expect(sent()).toBe(0);
    expect(await refund(10)).toMatchObject({ status: 201, body: { awaitingApproval: true } });
  });

  const keyId = async () => (await app.services.apiKeys.list(ana))[0]?.id ?? '';

  test('is not made for a key that was revoked since', async () => {
    await refund(6);
    await app.services.apiKeys.revoke(ana, await keyId());
    const { request } = await app.services.approvals.approve(ana, await requestId());
    expect(request).toMatchObject({ status: 'failed', reason: expect.stringContaining('no longer allowed') });
    expect(sent()).toBe(0);
  });

  test('is made for a key that was rotated since', async () => {
    await refund(6);
    await app.services.apiKeys.rotate(operatorFor(live.organizationId), await keyId(), 0);
    const { request } = await app.services.approvals.approve(ana, await requestId());
    expect(request).toMatchObject({ status: 'approved' });
    expect(sent()).toBe(1);
  });

  test('cannot be split to pass, nor approved by its requester', async () => {
    expect((await refund(5)).body).not.toHaveProperty('awaitingApproval');
    expect((await refund(0.01)).body).toMatchObject({ awaitingApproval: true });
    const { client, userId } = await openSession(app, {
      organizationId: live.organizationId,
      role: 'support',
      mode: 'live',
    });
    pass(1);
    const text = 'mutation ($id: ID!) { refundPayment(id: $id, amount: 1) { status awaitingApproval } }';
    const { body } = await client.graphql(text, { id: paymentId });
    expect(body.data.refundPayment).toEqual({ status: 'pending', awaitingApproval: true });
    const approve = 'mutation ($id: ID!) { approveRequest(id: $id) { request { status } } }';
    const own = await client.graphql(approve, { id: await requestId() });
    expect(own.body.errors[0].extensions.reason).toBe('second_person_required');
    await app.services.approvals.withdraw({ ...ana, userId, role: 'support' }, await requestId());
    expect((await refunds()).map((each: { status: string }) => each.status)).toEqual([
      'pending',
      'pending',
      'failed',
    ]);
  });

  describe.each([
    ['woovi', woovi, 60_000],
    ['asaas', asaas, 180_000],
  ] as const)('at %s', (provider, define, laterMs) => {
    test('is neither lost nor made twice when the process dies between the approval and the request', async () => {
      await open(provider, define);
      await refund(6);
      const guarded = app.services.refunds.guarded['payment.refund'];
      const { follow } = guarded;
      guarded.follow = () => Promise.resolve();
      await app.services.approvals.approve(ana, await requestId());
      guarded.follow = follow ?? guarded.follow;
      expect(sent()).toBe(0);
      pass(3 * dayMs);
      await settleLater(laterMs);
      await settleLater(laterMs);
      expect([sent(), made()]).toEqual([1, 1]);
    });
  });
});

describe('a refund limit', () => {
  let organizationId: string;
  let client: Client;
  let keyId: string;
  const operator = () => operatorFor(organizationId, 'test');

  beforeEach(async () => {
    const { organizationId: own, key, id } = await createKey(app.services);
    [organizationId, keyId] = [own, id];
    client = createClient(app.baseUrl, key);
    await app.services.apiKeys.update(operator(), keyId, { refundLimitPerDay: 5 });
  });

  async function paid(): Promise<string> {
    const { body } = await client.post('/v1/payments', { amount: 10 });
    await client.post(`/v1/sandbox/payments/${body.id}/pay`);
    return body.id as string;
  }

  const refund = (paymentId: string, amount: number) =>
    client.post(`/v1/payments/${paymentId}/refunds`, { amount });
  const limitError = (left: string) => ({
    status: 409,
    body: {
      message: `This API key may refund 5.00 BRL a day (America/Sao_Paulo): ${left} BRL is left today`,
    },
  });

  test('applies to all payments of a day in Brasília, and reports what is left', async () => {
    const [one, other] = [await paid(), await paid()];
    expect(await refund(one, 5.01)).toMatchObject(limitError('5.00'));
    expect((await refund(one, 3)).status).toBe(201);
    const refused = await refund(other, 2.01);
    expect(refused).toMatchObject(limitError('2.00'));
    expect(refused.headers.get('X-Error-Code')).toBe('refund_limit_exceeded');
    const text = 'mutation ($id: ID!) { refundPayment(id: $id, amount: 3) { id } }';
    const { body } = await client.graphql(text, { id: other });
    expect(body.errors[0].extensions).toMatchObject({ code: 'CONFLICT', reason: 'refund_limit_exceeded' });
    expect((await refund(other, 2)).status).toBe(201);
    const tomorrow = fromBrasilia(brasiliaDay(new Date(clock.getTime() + dayMs))) ?? clock;
    clock = new Date(tomorrow.getTime() - 1);
    expect(await refund(other, 0.01)).toMatchObject(limitError('0.00'));
    clock = tomorrow;
    expect((await refund(other, 5)).status).toBe(201);
  });

  test('lets exactly its amount pass under concurrent requests', async () => {
    const payments = await Promise.all(Array.from({ length: 12 }, paid));
    const answers = await Promise.all(payments.map((id) => refund(id, 1)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    const same = await paid();
    await app.services.apiKeys.update(operator(), keyId, { refundLimitPerDay: 7 });
    const more = await Promise.all(Array.from({ length: 6 }, () => refund(same, 0.5)));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(4);
  });

  test('includes what was refunded before it was set', async () => {
    await app.services.apiKeys.update(operator(), keyId, { refundLimitPerDay: null });
    const one = await paid();
    await refund(one, 4);
    await app.services.apiKeys.update(operator(), keyId, { refundLimitPerDay: 5 });
    expect(await refund(one, 1.01)).toMatchObject(limitError('1.00'));
  });

  test("is not used up by refused refunds, and is inherited by the key's successor", async () => {
    const one = await paid();
    expect((await refund(one, 11)).status).toBe(400);
    expect(
      (await refund(await client.post('/v1/payments', { amount: 4 }).then(({ body }) => body.id), 4)).status,
    ).toBe(409);
    expect((await refund(one, 5)).status).toBe(201);
    const rotated = await app.services.apiKeys.rotate(operator(), keyId, 1);
    expect(rotated.refundLimitInCents).toBe(500n);
  });

  test.each([
    [-1, 'refundLimitPerDay must be at least 0'],
    [0.001, 'refundLimitPerDay must have at most two decimals'],
  ])('cannot be %p', async (refundLimitPerDay, message) => {
    await expect(app.services.apiKeys.update(operator(), keyId, { refundLimitPerDay })).rejects.toThrow(
      message,
    );
  });

  test('of a role applies per person in live mode, and is restored by failed refunds', async () => {
    const live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
    opened.push(live);
    const { emulator } = live.accounts[0] ?? {};
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
    await emulator?.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
    const status = async () => (await live.client.get(`/v1/payments/${body.id}`)).body.status;
    await eventually(async () => expect(await status()).toBe('completed'));
    await changeSettings(live.organizationId, { refundLimits: [{ role: 'support', amountPerDay: 3 }] });
    const [ana, bia] = [
      await person(live.organizationId, 'support'),
      await person(live.organizationId, 'support'),
    ];
    const refundBy = (caller: PersonCaller, amount: number) =>
      app.services.refunds.create(caller, body.id, { amount }, undefined);
    emulator?.faults.add({ operation: 'refund', kind: 'reject' });
    expect((await refundBy(ana, 3)).view.status).toBe('failed');
    await refundBy(ana, 2.5);
    await expect(refundBy(ana, 1)).rejects.toMatchObject({
      code: 'refund_limit_exceeded',
      message: expect.stringContaining('A user with the role support may refund 3.00 BRL a day'),
    });
    await refundBy(bia, 3);
    await refundBy(await person(live.organizationId, 'owner'), 4);
  });

  test('counts refunds awaiting approval, and is restored when nobody approves', async () => {
    const live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
    opened.push(live);
    const { emulator } = live.accounts[0] ?? {};
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
    await emulator?.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
    const status = async () => (await live.client.get(`/v1/payments/${body.id}`)).body.status;
    await eventually(async () => expect(await status()).toBe('completed'));
    const [ana] = [await person(live.organizationId, 'owner'), await person(live.organizationId, 'owner')];
    const limits = [{ role: 'support', amountPerDay: 5 }];
    await changeSettings(live.organizationId, { refundApprovalAbove: 2, refundLimits: limits });
    const support = await person(live.organizationId, 'support');
    const ask = (amount: number) => app.services.refunds.create(support, body.id, { amount }, undefined);
    await ask(4);
    await expect(ask(2)).rejects.toMatchObject({ code: 'refund_limit_exceeded' });
    const { data } = await app.services.approvals.list(ana, {
      pendingOnly: true,
      limit: 1,
      cursor: undefined,
    });
    await app.services.approvals.reject(ana, data[0]?.id ?? '', 'No');
    expect((await ask(5)).view).toMatchObject({ awaitingApproval: true });
  });
});
