import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventType } from '../../../src/core/events/rules/events.ts';
import { firstIdAt } from '../../../src/core/base/ids.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { resendDeliveriesAfter } from '../../../src/core/webhooks/store/webhook-deliveries.ts';
import { operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { createPerson } from '../../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

afterAll(() => app.stop());

interface Shop {
  person: PersonCaller;
  endpointId: string;
  /** When the first of its events happened; there is one each millisecond. */
  since: Date;
}

/** Has so many events, and an endpoint that is disabled, so that nothing is delivered. */
async function openShop(count: number, events: EventType[] = []): Promise<Shop> {
  const { organizationId, key } = await createKey(app.services);
  const { userId } = await createPerson(app, { organizationId });
  const operator = operatorFor(organizationId, 'test');
  const { id: endpointId } = await app.services.webhookEndpoints.create(operator, {
    url: 'https://shop.example.com',
    ...(events.length > 0 && { events }),
  });
  await app.services.webhookEndpoints.setEnabled(operator, endpointId, false);
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await client.post(`/v1/payments/${body.id}/cancel`);
  const since = new Date(Date.now() + 60_000);
  await query(
    app.databaseUrl,
    `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
     SELECT (lpad(to_hex($2::bigint + n - 1), 12, '0') || '7000b' || lpad(to_hex(n), 15, '0'))::uuid, organization_id, mode,
       100 + n, type, gen_random_uuid(), '', to_timestamp(($2::bigint + n - 1) / 1000.0)
     FROM event, generate_series(1, $3::int) n WHERE payment_id = $1`,
    [body.id, since.getTime(), count],
  );
  const person: PersonCaller = {
    kind: 'person',
    organizationId,
    mode: 'test',
    userId,
    sessionId: userId,
    mustChangePassword: false,
    role: 'owner',
  };
  return { person, endpointId, since };
}

async function countDeliveries({ endpointId }: Shop): Promise<number> {
  const [row] = await query<{ count: number }>(
    app.databaseUrl,
    'SELECT count(*)::int FROM webhook_delivery WHERE endpoint_id = $1',
    [endpointId],
  );
  return row?.count ?? 0;
}

const resend = ({ person, endpointId }: Shop, since: Date, until?: Date) =>
  app.services.webhookDeliveries.resendSince(person, endpointId, since, until);

test('too many events for one call are refused with the end of a part, and the parts cover them all', async () => {
  const shop = await openShop(20_003);
  const refusal = (await resend(shop, shop.since).catch((error: unknown) => error)) as Error;
  expect(refusal).toMatchObject({
    code: 'too_many_events',
    message: expect.stringMatching(
      /^since must leave at most 20000 events: send them in parts, the first of them until /,
    ),
  });
  expect(await countDeliveries(shop)).toBe(0);
  const until = new Date(refusal.message.split('until ')[1] ?? '');
  expect(await resend(shop, shop.since, until)).toBe(20_000);
  expect(await resend(shop, until)).toBe(3);
  expect(await countDeliveries(shop)).toBe(20_003);
});

test('the operator resends any number', async () => {
  const shop = await openShop(20_001);
  const operator = operatorFor(shop.person.organizationId, 'test');
  const { webhookDeliveries } = app.services;
  expect(await webhookDeliveries.resendSince(operator, shop.endpointId, shop.since)).toBe(20_001);
});

test('the cost of a part is that of the events scanned, however few the endpoint subscribes to', async () => {
  const { person, endpointId, since } = await openShop(25, ['payment_completed']);
  const db = openDatabase(app.databaseUrl, { maximumConnections: 1 });
  try {
    const part = (afterEventId: string) =>
      resendDeliveriesAfter(
        db,
        { ...person, id: endpointId },
        { afterEventId, beforeEventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit: 20 },
        new Date(),
      );
    const first = await part(firstIdAt(since));
    expect(first).toEqual({ resent: 0, lastEventId: expect.any(String) });
    expect(await part(first.lastEventId ?? '')).toEqual({ resent: 0, lastEventId: null });
  } finally {
    await db.$disconnect();
  }
});

test('only one call at a time runs for an organization', async () => {
  const shop = await openShop(2);
  const outcomes = await Promise.allSettled([resend(shop, shop.since), resend(shop, shop.since)]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: { code: 'resend_in_progress' } },
  ]);
  expect(await resend(shop, shop.since)).toBe(2);
});
