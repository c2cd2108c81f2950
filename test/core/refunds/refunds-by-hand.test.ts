import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../src/core/base/errors.ts';
import type { Role } from '../../../src/core/base/roles.ts';
import { operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { createRefundWatch } from '../../../src/core/refunds/refund-watch.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { createPerson } from '../../support/people.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let clock: Date;
let app: TestApp;
let live: LiveOrganization;
let owner: PersonCaller;
let paymentId: string;

beforeAll(async () => {
  clock = new Date();
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock });
});

/** A payment of R$ 10 at a provider that decides no refund. */
beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
  owner = await person('owner');
  const { emulator } = live.accounts[0] ?? {};
  const { body } = await live.client.post('/v1/payments', { amount: 10 });
  await emulator?.pay(emulator.ledger.charges[0]?.transactionId ?? '');
  await app.services.notifications.drain();
  if (emulator) emulator.ledger.decidesRefundsLater = true;
  paymentId = String(body.id);
});

afterEach(() => live.stop());

afterAll(() => app.stop());

async function person(role: Role, { organizationId } = live): Promise<PersonCaller> {
  const { userId } = await createPerson(app, { organizationId, role });
  const session = { sessionId: randomUUID(), mustChangePassword: false };
  return { kind: 'person', userId, organizationId, mode: 'live', role, ...session };
}

async function open(amount: number): Promise<string> {
  const { body } = await live.client.post(`/v1/payments/${paymentId}/refunds`, { amount });
  expect(body).toMatchObject({ status: 'pending' });
  return String(body.id);
}

async function passAnHour(): Promise<void> {
  for (let hours = 0; hours < 2; hours++) {
    clock = new Date(clock.getTime() + 3_600_000);
    await app.services.reconciliation.refund(100);
  }
}

async function stuck(amount: number): Promise<string> {
  const id = await open(amount);
  await passAnHour();
  return id;
}

const settle = (refundId: string, isMade: boolean, caller: PersonCaller = owner) =>
  app.services.refunds.settleByHand(caller, { refundId, isMade });

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof ServiceError ? error.code : error;
};

const shown = async () => (await live.client.get(`/v1/payments/${paymentId}`)).body;
const told = async () => {
  const { data } = (await live.client.get('/v1/events')).body as { data: { type: string }[] };
  return data.map(({ type }) => type);
};

describe('the outcome of a refund is not recorded by hand', () => {
  test('while its provider may still tell it, nor once it is settled', async () => {
    const id = await open(4);
    expect(await codeOf(settle(id, true))).toBe('changed_meanwhile');
    await passAnHour();
    await settle(id, true);
    expect(await codeOf(settle(id, false))).toBe('changed_meanwhile');
    expect(await shown()).toMatchObject({ amountRefunded: 4 });
  });

  test('by anybody but an owner of the organization, in its mode', async () => {
    const id = await stuck(4);
    for (const role of ['developer', 'support', 'viewer'] as const)
      expect(await codeOf(settle(id, true, await person(role)))).toBe('permission_denied');
    expect(await codeOf(settle(id, true, { ...owner, mode: 'test' }))).toBe('refund_not_found');
    const stranger = await app.services.organizations.create('Stranger');
    const foreign = await person('owner', { ...live, organizationId: stranger.id });
    expect(await codeOf(settle(id, true, foreign))).toBe('refund_not_found');
    expect(await codeOf(settle('no-id', true))).toBe('refund_not_found');
    const text = 'mutation ($id: ID!) { settleRefund(refundId: $id, isMade: true) { id } }';
    const { body } = await live.client.graphql(text, { id });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await told()).toEqual(['payment_completed']);
  });
});

test('what somebody saw of two refunds is recorded, told and logged, and stays', async () => {
  const made = await open(4);
  const lost = await stuck(4);
  expect(await settle(made.toUpperCase(), true)).toMatchObject({ status: 'completed' });
  expect(await settle(lost, false)).toMatchObject({ status: 'failed', failureReason: 'not_carried_out' });
  expect(await shown()).toMatchObject({ status: 'completed', amountRefunded: 4 });
  expect(await told()).toEqual(['payment_completed', 'refund_completed', 'refund_failed']);
  const page = { limit: 5, cursor: undefined };
  const { data } = await app.services.audit.list(operatorFor(live.organizationId), page);
  const settled = data.filter(({ action }) => action === 'payment.settle_refund');
  expect(settled.map(({ subject, details }) => ({ subject, ...details }))).toEqual(
    // The ids of entries made in one millisecond have no order.
    expect.arrayContaining([
      expect.objectContaining({ subject: paymentId, amount: 4, isMade: false }),
      expect.objectContaining({ subject: paymentId, amount: 4, isMade: true }),
    ]),
  );
  await passAnHour();
  expect(await told()).toHaveLength(3);
  // What was not made can be refunded again, as far as we know.
  const again = await live.client.post(`/v1/payments/${paymentId}/refunds`, { amount: 6 });
  expect(again.status).toBe(201);
});

test('the metric counts those that wait for somebody, by what they wait for', async () => {
  const db = openDatabase(app.databaseUrl, { maximumConnections: 1 });
  const measured = async () => {
    const metrics = createMetrics();
    await createRefundWatch({ db, metrics }).measure();
    const lines = (await metrics.text()).matchAll(/^pix_refunds_stuck\{reason="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, reason, count]) => [reason, Number(count)]));
  };
  const before = await measured();
  expect(before).toMatchObject({ authorization_at_provider: 0 });
  const id = await stuck(4);
  const counted = { ...before, no_outcome_from_provider: Number(before['no_outcome_from_provider']) + 1 };
  expect(await measured()).toEqual(counted);
  await settle(id, true);
  expect(await measured()).toEqual(before);
  await db.$disconnect();
});

test('where two people are needed, the second decides', async () => {
  const other = await person('owner');
  await app.services.organizationSettings.update(operatorFor(live.organizationId), {
    refundApprovalAbove: 5,
  });
  const id = await stuck(4);
  expect(await codeOf(settle(id, true))).toBe('approval_required');
  expect(await shown()).not.toHaveProperty('amountRefunded', 4);
  const pending = { pendingOnly: true, limit: 5, cursor: undefined };
  const { data } = await app.services.approvals.list(other, pending);
  expect(data).toMatchObject([{ action: 'payment.settle_refund', after: { amount: 4, isMade: true } }]);
  const requestId = data[0]?.id ?? '';
  expect(await codeOf(app.services.approvals.approve(owner, requestId))).toBe('second_person_required');
  const { request } = await app.services.approvals.approve(other, requestId);
  expect(request).toMatchObject({ status: 'approved' });
  expect(await shown()).toMatchObject({ amountRefunded: 4 });
  expect(await told()).toEqual(['payment_completed', 'refund_completed']);
});
