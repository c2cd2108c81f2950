import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../src/core/base/ids.ts';
import { operatorFor, type OperatorCaller } from '../../../src/core/base/caller.ts';
import { deleteFailedCreates } from '../../../src/core/privacy/store/failed-creates.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { sentStatements } from '../../support/statements.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const dayMs = 86_400_000;

let clock: Date;
let databaseUrl: string;
let app: TestApp;

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  app = await startTestApp(
    { ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost, DATABASE_URL: databaseUrl },
    { now: () => clock },
  );
});

afterAll(() => app.stop());

const pass = (days: number): void => {
  clock = new Date(clock.getTime() + days * dayMs);
};

const forget = (limit = 100): Promise<number> => app.services.retention.deleteOld(limit);

async function forgetAll(): Promise<void> {
  while ((await forget()) > 0);
}

interface Shop {
  caller: OperatorCaller;
  endpointId: string;
  receiver: WebhookReceiver;
  /** Makes an event. */
  cancelOne(): Promise<string>;
  /** A payment that is cancelled, and its event sent. */
  deliver(): Promise<string>;
}

async function openShop(): Promise<Shop> {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const caller = operatorFor(organizationId, 'test');
  const receiver = await startWebhookReceiver();
  const { id: endpointId } = await app.services.webhookEndpoints.create(caller, { url: receiver.url });
  const cancelOne = async () => {
    const { body } = await client.post('/v1/payments', { amount: 1 });
    expect((await client.post(`/v1/payments/${body.id}/cancel`)).status).toBe(200);
    return body.id as string;
  };
  const deliver = async () => {
    const paymentId = await cancelOne();
    await deliverWebhooks(app.services.webhookSender);
    return paymentId;
  };
  return { caller, endpointId, receiver, cancelOne, deliver };
}

const deliveriesOf = async ({ caller, endpointId }: Shop) =>
  (await app.services.webhookDeliveries.list(caller, endpointId, { limit: 100 })).data;

const attemptsOf = (shop: Shop) =>
  query(
    databaseUrl,
    `SELECT a.id FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE d.endpoint_id = $1`,
    [shop.endpointId],
  );

test('a delivery and its attempts are kept for 90 days, its event and payment for good', async () => {
  const shop = await openShop();
  const paymentId = await shop.deliver();
  pass(89);
  await forgetAll();
  expect(await deliveriesOf(shop)).toHaveLength(1);
  pass(2);
  await shop.deliver();
  await forgetAll();
  const [recent, ...others] = await deliveriesOf(shop);
  expect(others).toEqual([]);
  expect(recent?.paymentId).not.toBe(paymentId);
  expect(await attemptsOf(shop)).toHaveLength(1);
  expect((await app.services.payments.get(shop.caller, paymentId)).status).toBe('cancelled');
  expect(
    await query(databaseUrl, 'SELECT FROM event WHERE organization_id = $1', [shop.caller.organizationId]),
  ).toHaveLength(2);
  await shop.receiver.stop();
});

test('a delivery that still waits is kept however old it is, and one with a recent attempt', async () => {
  const shop = await openShop();
  shop.receiver.reply = { status: 500 };
  await shop.deliver();
  const again = await openShop();
  await again.deliver();
  pass(91);
  const [old] = await deliveriesOf(again);
  await app.services.webhookDeliveries.resend(again.caller, old?.id ?? '');
  await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = false WHERE id = $1', [shop.endpointId]);
  await deliverWebhooks(app.services.webhookSender);
  await forgetAll();
  expect(await deliveriesOf(shop)).toMatchObject([{ status: 'pending' }]);
  expect(await deliveriesOf(again)).toMatchObject([{ status: 'delivered' }]);
  expect(await attemptsOf(again)).toHaveLength(1);
  await Promise.all([shop.receiver.stop(), again.receiver.stop()]);
});

test('an event whose delivery was deleted can be resent', async () => {
  const shop = await openShop();
  await shop.deliver();
  const since = clock;
  pass(91);
  await forgetAll();
  expect(await deliveriesOf(shop)).toEqual([]);
  await app.services.webhookDeliveries.resendSince(
    shop.caller,
    shop.endpointId,
    new Date(since.getTime() - 1),
  );
  await deliverWebhooks(app.services.webhookSender);
  expect(shop.receiver.requests).toHaveLength(2);
  expect(await deliveriesOf(shop)).toMatchObject([{ status: 'delivered' }]);
  await shop.receiver.stop();
});

test('a deleted endpoint goes with what was never sent to it', async () => {
  const shop = await openShop();
  await shop.deliver();
  await shop.cancelOne();
  await app.services.webhookEndpoints.delete(shop.caller, shop.endpointId);
  const left = (table: string, column: string) =>
    query(databaseUrl, `SELECT FROM ${table} WHERE ${column} = $1`, [shop.endpointId]);
  pass(89);
  await forgetAll();
  expect(await left('webhook_delivery', 'endpoint_id')).toHaveLength(2);
  pass(2);
  await forgetAll();
  expect(await left('webhook_delivery', 'endpoint_id')).toEqual([]);
  expect(await left('webhook_endpoint', 'id')).toEqual([]);
  await shop.receiver.stop();
});

async function insertNotifications(count: number, { processed }: { processed: boolean }): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(clock));
  await query(
    databaseUrl,
    `INSERT INTO psp_notification (id, provider, body, received_at, processed_at)
     SELECT id, 'bacen', '{}', $2, CASE WHEN $3 THEN $2::timestamptz END FROM unnest($1::uuid[]) AS id`,
    [ids, clock, processed],
  );
  return ids;
}

const notificationsLeft = (ids: readonly string[]) =>
  query(databaseUrl, 'SELECT id FROM psp_notification WHERE id = ANY($1)', [ids]);

test('what providers sent is kept for 400 days, and for as long as it is not processed', async () => {
  const processed = await insertNotifications(3, { processed: true });
  const waiting = await insertNotifications(1, { processed: false });
  pass(399);
  await forgetAll();
  expect(await notificationsLeft(processed)).toHaveLength(3);
  pass(2);
  await forgetAll();
  expect(await notificationsLeft(processed)).toEqual([]);
  expect(await notificationsLeft(waiting)).toHaveLength(1);
});

test('deletes in steps that read no more than they delete', async () => {
  const ids = await insertNotifications(2_500, { processed: true });
  pass(401);
  await query(databaseUrl, 'VACUUM ANALYZE psp_notification');
  const statements = await sentStatements(() => forget(1_000));
  expect(await notificationsLeft(ids)).toHaveLength(1_500);
  const deletion = statements.find(({ text }) => text.includes('DELETE FROM psp_notification'));
  const [plan] = await query<{ 'QUERY PLAN': unknown }>(
    databaseUrl,
    `EXPLAIN (FORMAT JSON) ${deletion?.text}`,
    deletion?.values,
  );
  expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  await forgetAll();
  expect(await notificationsLeft(ids)).toEqual([]);
});

describe('creates that failed', () => {
  let live: LiveOrganization;

  beforeAll(async () => {
    clock = new Date();
    live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
  });

  afterAll(() => live.stop());

  const emulator = (): PspEmulator => {
    const [account] = live.accounts;
    if (!account) throw new Error('there is one account');
    return account.emulator;
  };

  async function fail(externalId: string): Promise<string> {
    const { status } = await live.client.post('/v1/payments', { amount: 10, externalId });
    expect(status).toBe(500);
    const [row] = await query<{ id: string }>(databaseUrl, 'SELECT id FROM payment WHERE external_id = $1', [
      externalId,
    ]);
    return row?.id ?? '';
  }

  const rowsOf = async (id: string) => {
    const [counts] = await query<Record<string, number>>(
      databaseUrl,
      `SELECT (SELECT count(*)::int FROM payment WHERE id = $1) AS payments,
         (SELECT count(*)::int FROM payment_attempt WHERE payment_id = $1) AS attempts,
         (SELECT count(*)::int FROM payment_term WHERE payment_id = $1) AS terms`,
      [id],
    );
    return counts;
  };

  test('stay if money has arrived for one since it was listed', async () => {
    const { body } = await live.client.post('/v1/payments', { amount: 10, externalId: 'paid-since' });
    await query(databaseUrl, `UPDATE payment SET status = 'completed' WHERE id = $1`, [body.id]);
    const db = openDatabase(databaseUrl, { maximumConnections: 1 });
    await db.$transaction((tx) => deleteFailedCreates(tx, [body.id as string]));
    await db.$disconnect();
    expect(await rowsOf(body.id as string)).toMatchObject({ payments: 1, attempts: 1 });
  });

  test('go after 90 days if nothing reached a provider, and stay if a response was lost', async () => {
    await emulator().refuseConnections();
    const neverSent = await fail('never-sent');
    await emulator().acceptConnections();
    const { faults } = emulator();
    faults.add({ kind: 'reject', operation: 'create' });
    const refused = await fail('refused');
    faults.add({ kind: 'reset', operation: 'create', isDone: true, times: 9 });
    faults.add({ kind: 'error', operation: 'find', times: 9 });
    const lost = await fail('lost');
    faults.clear();
    const { body: kept } = await live.client.post('/v1/payments', { amount: 10, externalId: 'kept' });
    // A worker gives them their terms by the clock of the database.
    await eventually(async () => {
      await app.services.paymentTermFilling.advance(1_000);
      for (const id of [neverSent, refused])
        expect(await rowsOf(id)).toMatchObject({ terms: id === neverSent ? 2 : 1 });
    });
    pass(89);
    await forgetAll();
    expect(await rowsOf(neverSent)).toMatchObject({ payments: 1, attempts: 1 });
    pass(2);
    await forgetAll();
    for (const id of [neverSent, refused])
      expect(await rowsOf(id)).toEqual({ payments: 0, attempts: 0, terms: 0 });
    expect(await rowsOf(lost)).toMatchObject({ payments: 1, attempts: 1 });
    expect(await rowsOf(kept.id as string)).toMatchObject({ payments: 1, attempts: 1 });
    const { body: found } = await live.client.get('/v1/payments?search=never-sent');
    expect(found).toMatchObject({ data: [] });
  });
});
