import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { times } from '../../support/chance.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { expectError } from '../../support/error-shape.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { openLiveOrganization } from '../../support/live.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { receiverHost, startWebhookReceiver } from '../../support/webhook-receiver.ts';

let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let owner: TestKey;
let client: Client;
let clock: Date;

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // They have no workers of their own: the tests run them.
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost };
  app = await startTestApp(env, { now: () => clock });
  other = await startTestApp(env, { now: () => clock });
});

beforeEach(async () => {
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

afterEach(() =>
  query(
    databaseUrl,
    'DROP TRIGGER IF EXISTS refuse ON event; UPDATE payment SET next_check_at = NULL; DELETE FROM payment_check; UPDATE psp_notification SET next_check_at = NULL',
  ),
);

afterAll(async () => {
  await Promise.all([app.stop(), other.stop()]);
});

interface Listed {
  id: string;
  type: string;
  createdAt: string;
  sequence: number;
  data: { id: string; status: string } & Record<string, unknown>;
  refund?: object | null;
}

interface Page {
  events: Listed[];
  next?: string;
}

interface Query {
  after?: string;
  limit?: number;
}

/** What was refused, as both transports tell it. */
interface Refusal {
  status: number;
  error: string;
  message: string;
}

interface Transport {
  list(query?: Query, its?: Client): Promise<Page>;
  refusal(query: Query): Promise<Refusal>;
}

const searchOf = (parameters: Query): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const rest: Transport = {
  async list(parameters = {}, its = client) {
    const { status, body } = await its.get(`/v1/events?${searchOf(parameters)}`);
    expect(status).toBe(200);
    return { events: body.data, next: body.nextCursor };
  },
  async refusal(parameters) {
    const answer = await client.get(`/v1/events?${searchOf(parameters)}`);
    const { statusCode, error, message } = answer.body;
    expectError(answer, statusCode, error);
    return { status: statusCode, error, message };
  },
};

const connection = `query ($first: Int, $after: String) {
  events(first: $first, after: $after) {
    edges {
      cursor
      node {
        id type createdAt sequence epoch
        data {
          id amount currency status provider createdAt description externalId pixCopyPaste pixQrCodeBase64
          expiresAt confirmedAt cancelledAt endToEndId txid amountRefunded payerName payerDocument payerEmail isTest metadata
        }
        refund { id paymentId amount status failureReason createdAt }
      }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const withoutNulls = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const graphql: Transport = {
  async list({ limit, after } = {}, its = client) {
    const { body } = await its.graphql(connection, { after, ...(limit !== undefined && { first: limit }) });
    expect(body.errors).toBeUndefined();
    const { edges, pageInfo } = body.data.events;
    return {
      events: edges.map(({ node: { refund: ofRefund, ...node } }: { node: Listed }) => ({
        ...node,
        data: withoutNulls(node.data),
        ...(ofRefund && { refund: withoutNulls(ofRefund) }),
      })),
      ...(pageInfo.hasNextPage && { next: pageInfo.endCursor }),
    };
  },
  async refusal({ limit, after }) {
    const { body } = await client.graphql(connection, {
      after,
      ...(limit !== undefined && { first: limit }),
    });
    const [{ message, extensions }] = body.errors;
    expect(extensions.code).toBe('BAD_USER_INPUT');
    return { status: extensions.statusCode, error: extensions.error, message };
  },
};

async function create(input: object = {}, its = client): Promise<string> {
  const { status, body } = await its.post('/v1/payments', { amount: 10, expirationMinutes: 5, ...input });
  expect(status).toBe(201);
  return body.id as string;
}

const createMany = (count: number, its = client): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => create({}, its)));

const pay = (id: string, its = client) => its.post(`/v1/sandbox/payments/${id}/pay`);
const expire = (id: string) => client.post(`/v1/sandbox/payments/${id}/expire`);
const cancel = (id: string) => client.post(`/v1/payments/${id}/cancel`);
const refund = (id: string, amount?: number) => client.post(`/v1/payments/${id}/refunds`, { amount });
/** Leaves out addresses of the service, which events do not have, because they are stored for good. */
const retrieve = async (id: string) => {
  const { body } = await client.get(`/v1/payments/${id}`);
  delete body.checkoutUrl;
  return body;
};

const types = async (its = client): Promise<string[]> =>
  (await rest.list({ limit: 100 }, its)).events.map(({ type }) => type);

const sequences = ({ events }: Page): number[] => events.map(({ sequence }) => sequence);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function reconcile(...nodes: TestApp[]): Promise<void> {
  await Promise.all(nodes.map(({ services }) => services.reconciliation.payment(500)));
}

describe('no event', () => {
  test('is created for a payment that nobody paid or no provider could create', async () => {
    await create();
    await client.post('/v1/payments', { amount: 1, metadata: { sandbox: 'reject' } });
    expect(await types()).toEqual([]);
  });

  test('says that a payment was refunded before it was refunded in full', async () => {
    const id = await create({ amount: 10 });
    await pay(id);
    expect(await refund(id, 4)).toMatchObject({ status: 201 });
    expect(await refund(id, 3.5)).toMatchObject({ status: 201 });
    const inPart = ['payment_completed', 'refund_completed', 'refund_completed'];
    expect(await types()).toEqual(inPart);
    expect(await refund(id, 2.5)).toMatchObject({ status: 201 });
    expect(await types()).toEqual([...inPart, 'refund_completed', 'payment_refunded']);
  });

  test('is created twice: refused and repeated requests change nothing', async () => {
    const id = await create();
    await cancel(id);
    expect(await cancel(id)).toMatchObject({ status: 409 });
    expect(await expire(id)).toMatchObject({ status: 409 });
    passMinutes(6);
    await reconcile(app, other);
    expect(await types()).toEqual(['payment_cancelled']);
  });

  test('and no gap is left by a transaction that fails', async () => {
    const [first = '', broken = '', last = ''] = await createMany(3);
    await pay(first);
    // Fails at the commit, when the event has its number.
    await query(
      databaseUrl,
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
       CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (NEW.payment_id = '${broken}') EXECUTE FUNCTION refuse();`,
    );
    expect(await pay(broken)).toMatchObject({ status: 500 });
    expect(await retrieve(broken)).toMatchObject({ status: 'pending' });
    await pay(last);
    const { events } = await rest.list();
    expect(events.map(({ sequence, data }) => [sequence, data.id])).toEqual([
      [1, first],
      [2, last],
    ]);

    await query(databaseUrl, 'DROP TRIGGER refuse ON event');
    passMinutes(6);
    await reconcile(app);
    const healed = await rest.list({ after: '2' });
    expect(healed.events).toMatchObject([{ sequence: 3, type: 'payment_completed', data: { id: broken } }]);
  });
});

describe('an event', () => {
  test('is created for every change of a payment', async () => {
    const [paid = '', expired = '', cancelled = ''] = await createMany(3);
    await pay(paid);
    await expire(expired);
    await cancel(cancelled);
    await refund(paid);
    const { events } = await rest.list();
    expect(events).toMatchObject([
      { type: 'payment_completed', sequence: 1, data: { id: paid, status: 'completed' } },
      { type: 'payment_expired', sequence: 2, data: { id: expired, status: 'expired' } },
      { type: 'payment_cancelled', sequence: 3, data: { id: cancelled, status: 'cancelled' } },
      { type: 'refund_completed', sequence: 4, data: { id: paid, status: 'refunded' } },
      { type: 'payment_refunded', sequence: 5, data: { id: paid, status: 'refunded' } },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(5);
  });

  test('announces a second Pix, but not a third', async () => {
    const id = await create();
    await pay(id);
    await pay(id);
    await pay(id);
    expect(await types()).toEqual(['payment_completed', 'payment_duplicated']);
  });

  test('announces money that arrives after the expiry or cancellation', async () => {
    const [expired = '', cancelled = ''] = await createMany(2);
    await expire(expired);
    await cancel(cancelled);
    await pay(expired);
    await pay(cancelled);
    expect(await types()).toEqual([
      'payment_expired',
      'payment_cancelled',
      'payment_completed',
      'payment_completed',
    ]);
  });

  test('is created once, even if every node learns of it at the same moment', async () => {
    const [paid = '', expiring = ''] = await createMany(2);
    const others = createClient(other.baseUrl, owner.key);
    await Promise.all([client, others, client, others].map((its) => pay(paid, its)));
    expect(await types()).toEqual(['payment_completed', 'payment_duplicated']);
    passMinutes(6);
    await Promise.all([reconcile(app, other), expire(expiring), expire(expiring)]);
    expect(await types()).toEqual(['payment_completed', 'payment_duplicated', 'payment_expired']);
  });

  test('contains the payment as retrieved at that time', async () => {
    const metadata = JSON.parse('{"__proto__":{"a":[1,null]},"note":"\\"sequence\\":9, ção 💸"}') as object;
    const payer = { name: 'Fulano', document: '529.982.247-25', email: 'fulano@example.com' };
    const id = await create({ description: 'Camiseta', externalId: 'order-1', payer, metadata });
    passMinutes(1);
    await pay(id);
    const completed = await retrieve(id);
    const completedAt = clock.toISOString();
    passMinutes(1);
    const { body: itsRefund } = await refund(id);
    const refunded = await retrieve(id);
    expect(refunded).toMatchObject({ status: 'refunded' });
    const eventOf = (type: string, sequence: number, createdAt: string, data: unknown, about = {}) => ({
      id: expect.any(String),
      type,
      createdAt,
      sequence,
      epoch: 1,
      data,
      ...about,
    });
    for (const transport of [rest, graphql]) {
      const { events } = await transport.list();
      expect(events).toEqual([
        eventOf('payment_completed', 1, completedAt, completed),
        eventOf('refund_completed', 2, clock.toISOString(), refunded, { refund: itsRefund }),
        eventOf('payment_refunded', 3, clock.toISOString(), refunded),
      ]);
      expect(JSON.stringify(events[0]?.data['metadata'])).toBe(JSON.stringify(metadata));
    }
  });
});

describe('the sequence', () => {
  /** What a consumer sees that asks again and again for what comes after the last event that it knows. */
  async function follow(count: number): Promise<Listed[]> {
    const seen: Listed[] = [];
    await eventually(async () => {
      const { events } = await rest.list({ after: String(seen.at(-1)?.sequence ?? 0), limit: 20 });
      seen.push(...events);
      expect(seen.length).toBeGreaterThanOrEqual(count);
    }, 50_000);
    return seen;
  }

  test('has no gap under concurrent completions, and its followers miss none', async () => {
    const count = times(25, 200);
    const ids = await createMany(count);
    const others = createClient(other.baseUrl, owner.key);
    // Ten at a time: more would wait for the counter until the service gives up on a busy machine.
    const unpaid = ids.values();
    const payOneByOne = async (its: Client) => {
      for (const id of unpaid) expect((await pay(id, its)).body).toMatchObject({ status: 'completed' });
    };
    const payers = Array.from({ length: 10 }, (_, index) => payOneByOne(index % 2 ? client : others));
    const [seen] = await Promise.all([follow(count), ...payers]);
    expect(seen.map(({ sequence }) => sequence)).toEqual(upTo(count));
    expect(seen.map(({ data }) => data.id).sort()).toEqual([...ids].sort());
    // Two nodes, all payers and the consumer, in one process.
  });

  test('keeps answers to confirmations waiting but nobody who creates or reads payments', async () => {
    const ids = await createMany(31);
    await pay(ids[0] ?? '');
    const stranger = await createKey(app.services);
    const theirs = createClient(app.baseUrl, stranger.key);
    const keeper = new pg.Client({ connectionString: databaseUrl });
    await keeper.connect();
    await keeper.query('BEGIN');
    await keeper.query('SELECT 1 FROM event_counter WHERE organization_id = $1 FOR UPDATE', [
      owner.organizationId,
    ]);
    const payments = Promise.all(ids.slice(1).map((id) => pay(id)));
    try {
      await eventually(async () => {
        const waiting = await query(databaseUrl, 'SELECT FROM waiting_event');
        expect(waiting.length).toBe(30);
      });
      const id = await create({}, theirs);
      expect(await theirs.get(`/v1/payments/${id}`)).toMatchObject({ status: 200 });
    } finally {
      await keeper.query('COMMIT');
      await keeper.end();
    }
    expect((await payments).filter(({ status }) => status !== 200)).toEqual([]);
    expect(sequences(await rest.list({ limit: 100 }))).toEqual(upTo(31));
  });

  test('is separate for each organization and mode', async () => {
    const stranger = await createKey(app.services);
    const theirs = createClient(app.baseUrl, stranger.key);
    await pay(await create());
    await pay(await create({}, theirs), theirs);
    await pay(await create());
    await pay(await create({}, theirs), theirs);
    for (const its of [client, theirs]) expect(sequences(await rest.list({}, its))).toEqual([1, 2]);
  });

  test('starts at 1 in live mode too, and neither mode sees the other', async () => {
    const live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
    try {
      const testKey = await createKey(app.services, { organizationId: live.organizationId });
      const inTest = createClient(app.baseUrl, testKey.key);
      await pay(await create({}, inTest), inTest);
      const id = await create({}, live.client);
      const emulator = live.accounts[0]?.emulator;
      await emulator?.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
      await eventually(async () => expect(await types(live.client)).toEqual(['payment_completed']));
      const seen = { sequence: 1, data: { id, isTest: false } };
      expect((await rest.list({}, live.client)).events).toMatchObject([seen]);
      expect((await rest.list({}, inTest)).events).toMatchObject([{ sequence: 1, data: { isTest: true } }]);
    } finally {
      await live.stop();
    }
  });
});

describe.each([
  ['GET /v1/events', rest, 'limit'],
  ['the events of GraphQL', graphql, 'first'],
] as const)('%s', (_name, transport, limitName) => {
  const limitRule = `${limitName} must be a whole number from 1 to 100`;
  const afterRule = 'after must be the sequence of an event, or 0';

  test.each<[query: Query, message: string]>([
    [{ limit: 0 }, limitRule],
    [{ limit: -1 }, limitRule],
    [{ limit: 101 }, limitRule],
    [{ after: '' }, afterRule],
    [{ after: 'x' }, afterRule],
    [{ after: '-1' }, afterRule],
    [{ after: '1.5' }, afterRule],
    [{ after: '1e1' }, afterRule],
    [{ after: ' 1' }, afterRule],
    [{ after: '9'.repeat(19) }, afterRule],
    [{ after: randomUUID() }, afterRule],
    [{ after: 'x', limit: 0 }, `${afterRule}; ${limitRule}`],
  ])('refuses %j with 400, naming the field', async (parameters, message) => {
    expect(await transport.refusal(parameters)).toEqual({ status: 400, error: 'BadRequest', message });
  });

  test('is empty for organizations without events', async () => {
    expect(await transport.list()).toEqual({ events: [] });
    expect(await transport.list({ after: '9'.repeat(18) })).toEqual({ events: [] });
  });

  test("never shows another organization's events or the other mode's", async () => {
    await pay(await create());
    const stranger = await createKey(app.services);
    const live = await createKey(app.services, { mode: 'live', organizationId: owner.organizationId });
    for (const { key } of [stranger, live]) {
      const its = createClient(app.baseUrl, key);
      expect((await transport.list({}, its)).events).toEqual([]);
      expect((await transport.list({ after: '0', limit: 100 }, its)).events).toEqual([]);
    }
    const reader = await createKey(app.services, { organizationId: owner.organizationId, permissions: [] });
    expect((await transport.list({}, createClient(app.baseUrl, reader.key))).events).toHaveLength(1);
  });

  test('shows the oldest 20 by default, and continues after the last', async () => {
    for (const id of await createMany(21)) await cancel(id);
    const first = await transport.list();
    expect(sequences(first)).toEqual(upTo(20));
    expect(first.next).toBe('20');
    const second = await transport.list({ after: '20' });
    expect(sequences(second)).toEqual([21]);
    expect(second.next).toBeUndefined();
    expect((await transport.list({ after: '21' })).events).toEqual([]);
    const middle = await transport.list({ after: '5', limit: 3 });
    expect(sequences(middle)).toEqual([6, 7, 8]);
    expect(middle.next).toBe('8');
    const exactly = await transport.list({ limit: 21 });
    expect(sequences(exactly)).toEqual(upTo(21));
    expect(exactly.next).toBeUndefined();
    expect(await graphql.list({ limit: 100 })).toEqual(await rest.list({ limit: 100 }));
  });
});

describe('GET /v1/events refuses', () => {
  const limitRule = 'limit must be a whole number from 1 to 100';

  test.each([
    ['limit=1.5', limitRule],
    ['limit=ten', limitRule],
    ['limit=', limitRule],
    ['limit=1&limit=2', limitRule],
    ['after=1&after=2', 'after must be given once'],
    ['after=1%00', 'after must be the sequence of an event, or 0'],
  ])('?%s with 400, naming the field', async (search, message) => {
    const answer = await client.get(`/v1/events?${search}`);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe(message);
  });

  test('requests without a key with 401', async () => {
    expectError(await createClient(app.baseUrl).get('/v1/events'), 401, 'Unauthorized');
  });
});

test("GraphQL gives an event's payment a type of its own, which caches keep apart from the payment", async () => {
  const [id = ''] = await createMany(1);
  await cancel(id);
  const { body } = await client.graphql(
    'query ($id: ID!) { payment(id: $id) { __typename } events { edges { node { data { __typename paymentId } } } } }',
    { id },
  );
  const [{ node }] = body.data.events.edges;
  expect(node.data).toEqual({ __typename: 'PaymentSnapshot', paymentId: id });
  expect(body.data.payment.__typename).toBe('Payment');
  const type = await client.graphql('{ __type(name: "PaymentSnapshot") { fields { name } } }');
  const names = type.body.data.__type.fields.map(({ name }: { name: string }) => name);
  expect(names).toContain('paymentId');
  expect(names).not.toContain('id');
});

test('GraphQL reports the position of a page of events', async () => {
  for (const id of await createMany(3)) await cancel(id);
  const page = async (variables: object) => (await client.graphql(connection, variables)).body.data.events;
  const middle = await page({ first: 1, after: '1' });
  expect(middle.edges.map(({ cursor }: { cursor: string }) => cursor)).toEqual(['2']);
  expect(middle.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: true,
    startCursor: '2',
    endCursor: '2',
  });
  expect((await page({ after: '3' })).pageInfo).toEqual({
    hasNextPage: false,
    hasPreviousPage: true,
    startCursor: null,
    endCursor: null,
  });
});

test('GET /v1/events returns byte for byte what was delivered', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const caller = { kind: 'operator', organizationId: owner.organizationId, mode: 'test' } as const;
    await app.services.webhookEndpoints.create(caller, { url: receiver.url });
    const metadata = JSON.parse('{"__proto__":1,"z":"\\u2028 \\u007f </script> ção 💸","a":1e21}') as object;
    for (const amount of [0.01, 9_999_999_999.99]) await pay(await create({ amount, metadata }));
    const { webhookSender: sender } = app.services;
    expect(await deliverWebhooks(sender)).toBe(2);
    const delivered = new Map(
      receiver.requests.map(({ body }) => [(JSON.parse(body) as Listed).sequence, body]),
    );
    const listed = async (search: string) =>
      (await fetch(`${app.baseUrl}/v1/events${search}`, { headers: { 'X-API-Key': owner.key } })).text();
    expect(await listed('')).toBe(`{"data":[${delivered.get(1)},${delivered.get(2)}]}`);
    expect(await listed('?limit=1')).toBe(`{"data":[${delivered.get(1)}],"nextCursor":"1"}`);
  } finally {
    await receiver.stop();
  }
});
