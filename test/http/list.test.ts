import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { standingFor } from '../support/chance.ts';
import { type Client, createClient } from '../support/client.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey, type TestKey } from '../support/factories.ts';

/** A second passes before each payment, so that bounds in time can be told apart. */
const clock = { now: new Date() };

let app: TestApp;
let key: TestKey;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' }, { now: () => clock.now });
});

beforeEach(async () => {
  key = await createKey(app.services);
  client = createClient(app.baseUrl, key.key);
});

afterAll(() => app.stop());

/** Amounts of five payments, of which three are paid. */
const sortings: [sort: string, order: string, amounts: number[]][] = [
  ['created', 'desc', [3, 1, 2, 1, 2]],
  ['created', 'asc', [2, 1, 2, 1, 3]],
  ['amount', 'desc', [3, 2, 2, 1, 1]],
  ['amount', 'asc', [1, 1, 2, 2, 3]],
  ['paid', 'desc', [2, 1, 3]],
  ['paid', 'asc', [3, 1, 2]],
];

interface Listed {
  id: string;
  amount: number;
  createdAt: string;
  externalId?: string;
  status: string;
}

async function create(input: object = {}, its = client): Promise<Listed> {
  clock.now = new Date(clock.now.getTime() + 1_000);
  const { status, body } = await its.post('/v1/payments', { amount: 1, ...input });
  expect(status).toBe(201);
  return body;
}

async function createMany(count: number): Promise<Listed[]> {
  const payments = [];
  for (let index = 0; index < count; index++) payments.push(await create({ externalId: `order-${index}` }));
  return payments;
}

interface Page {
  payments: Listed[];
  next?: string;
}

interface Query {
  status?: string;
  externalId?: string;
  concern?: string;
  sort?: string;
  order?: string;
  createdFrom?: string;
  createdTo?: string;
  limit?: number;
  cursor?: string;
}

interface Transport {
  list(query?: Query, its?: Client): Promise<Page>;
}

const rest: Transport = {
  async list(query = {}, its = client) {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { status, body } = await its.get(`/v1/payments?${parameters.toString()}`);
    expect(status).toBe(200);
    return { payments: body.data, next: body.nextCursor };
  },
};

const connection = `query ($filter: PaymentFilter, $sort: PaymentSort, $order: SortOrder, $first: Int, $after: String) {
  payments(filter: $filter, sort: $sort, order: $order, first: $first, after: $after) {
    edges {
      cursor
      node {
        id amount currency status provider createdAt description externalId checkoutUrl pixCopyPaste pixQrCodeBase64 txid
        expiresAt confirmedAt payerName payerDocument payerEmail isTest metadata
      }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const withoutNulls = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value;

const graphql: Transport = {
  async list({ limit, cursor, sort, order, ...filter } = {}, its = client) {
    const variables = { filter, sort, order, ...(limit !== undefined && { first: limit }), after: cursor };
    const { body } = await its.graphql(connection, variables);
    expect(body.errors).toBeUndefined();
    const { edges, pageInfo } = body.data.payments;
    return {
      payments: edges.map(({ node }: { node: Listed }) => withoutNulls(node)),
      ...(pageInfo.hasNextPage && { next: pageInfo.endCursor }),
    };
  },
};

const ids = (payments: readonly Listed[]): string[] => payments.map(({ id }) => id);

describe.each([
  ['GET /v1/payments', rest],
  ['the payments of GraphQL', graphql],
])('%s', (_name, transport) => {
  test('is empty for organizations without payments', async () => {
    expect(await transport.list()).toEqual({ payments: [] });
  });

  test("never shows another organization's payments or the other mode's", async () => {
    const { id, externalId } = await create({ externalId: 'common' });
    const stranger = await createKey(app.services);
    const live = await createKey(app.services, { mode: 'live', organizationId: key.organizationId });
    const { next } = await transport.list({ limit: 1 });
    expect(next).toBeUndefined();
    for (const other of [stranger, live]) {
      const its = createClient(app.baseUrl, other.key);
      for (const query of [
        {},
        { status: 'pending' },
        { externalId },
        { createdFrom: '2020-01-01T00:00:00Z' },
      ]) {
        expect((await transport.list(query, its)).payments).toEqual([]);
      }
    }
    const colleague = await createKey(app.services, { organizationId: key.organizationId, permissions: [] });
    expect(ids((await transport.list({}, createClient(app.baseUrl, colleague.key))).payments)).toEqual([id]);
  });

  test("never shows them for another organization's cursor", async () => {
    const [own] = await createMany(2);
    const stranger = await createKey(app.services);
    const its = createClient(app.baseUrl, stranger.key);
    const theirs = [await create({}, its), await create({}, its)];
    const { next } = await transport.list({ limit: 1 });
    await create();
    expect(next).toBeDefined();
    expect((await transport.list({ ...(next && { cursor: next }) }, its)).payments).toEqual([]);
    const { next: theirNext } = await transport.list({ limit: 1 }, its);
    const seen = await transport.list({ ...(theirNext && { cursor: theirNext }) });
    expect(ids(seen.payments)).toContain(own?.id);
    for (const { id } of theirs) expect(ids(seen.payments)).not.toContain(id);
  });

  test('shows the newest first, each as it would be retrieved', async () => {
    const created = await createMany(3);
    const { payments, next } = await transport.list();
    expect(ids(payments)).toEqual(ids(created).reverse());
    expect(next).toBeUndefined();
    for (const payment of payments) {
      expect((await client.get(`/v1/payments/${payment.id}`)).body).toEqual(payment);
    }
  });

  test('shows 20 by default, and as many as the limit says', async () => {
    const created = await createMany(21);
    const { payments, next } = await transport.list();
    expect(payments).toHaveLength(20);
    expect(next).toEqual(expect.any(String));
    const three = await transport.list({ limit: 3 });
    expect(ids(three.payments)).toEqual(ids(created.slice(-3)).reverse());
    expect((await transport.list({ limit: 100 })).payments).toHaveLength(21);
    const exactly = await transport.list({ limit: 21 });
    expect(exactly.payments).toHaveLength(21);
    expect(exactly.next).toBeUndefined();
  });

  test('is paged without duplicates or gaps while payments are created', async () => {
    const before = await createMany(7);
    const walked: Listed[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { payments, next } = await transport.list({ limit: 2, ...(cursor && { cursor }) });
      walked.push(...payments);
      cursor = next;
      pages += 1;
      await create({ externalId: 'meanwhile' });
    } while (cursor);
    expect(pages).toBe(4);
    expect(ids(walked)).toEqual(ids(before).reverse());
  });

  test('is paged with its filter', async () => {
    const odd = [];
    for (let index = 0; index < 6; index++) {
      const payment = await create({ externalId: index % 2 ? 'odd' : 'even' });
      if (index % 2) odd.unshift(payment.id);
    }
    const first = await transport.list({ externalId: 'odd', limit: 2 });
    const rest = await transport.list({
      externalId: 'odd',
      limit: 2,
      ...(first.next && { cursor: first.next }),
    });
    expect(ids([...first.payments, ...rest.payments])).toEqual(odd);
    expect(rest.next).toBeUndefined();
  });

  test('filters by status', async () => {
    const [pending, completed, expired, cancelled] = await createMany(4);
    await client.post(`/v1/sandbox/payments/${completed?.id}/pay`);
    await client.post(`/v1/sandbox/payments/${expired?.id}/expire`);
    await client.post(`/v1/payments/${cancelled?.id}/cancel`);
    await client.post('/v1/payments', { amount: 1, metadata: { sandbox: 'reject' } });
    for (const [status, payment] of Object.entries({ pending, completed, expired, cancelled })) {
      expect(ids((await transport.list({ status })).payments)).toEqual([payment?.id]);
    }
    expect((await transport.list({ status: 'failed' })).payments).toMatchObject([{ status: 'failed' }]);
    expect((await transport.list({ status: 'refunded' })).payments).toEqual([]);
    expect((await transport.list()).payments).toHaveLength(5);
  });

  test('filters by concern, until some of the payment is refunded', async () => {
    const [, late, twice, refunded] = await createMany(4);
    const pay = (payment: Listed | undefined) => client.post(`/v1/sandbox/payments/${payment?.id}/pay`);
    await client.post(`/v1/sandbox/payments/${late?.id}/expire`);
    for (const payment of [late, twice, twice, refunded, refunded]) await pay(payment);
    const concerned = async (concern: string) => ids((await transport.list({ concern })).payments);
    expect(await concerned('paid_late')).toEqual([late?.id]);
    expect(await concerned('duplicated')).toEqual([refunded?.id, twice?.id]);
    await client.post(`/v1/payments/${refunded?.id}/refunds`, { amount: 0.01 });
    expect(await concerned('duplicated')).toEqual([twice?.id]);
    expect((await transport.list({ concern: 'duplicated', status: 'expired' })).payments).toEqual([]);
  });

  test('filters by open dispute, until it is decided', async () => {
    const [, payment] = await createMany(2);
    const act = (path: string, body = {}) => client.post(`/v1/sandbox/payments/${payment?.id}/${path}`, body);
    await act('pay');
    await act('dispute');
    expect(ids((await transport.list({ concern: 'disputed' })).payments)).toEqual([payment?.id]);
    await act('dispute/close', { outcome: 'won' });
    expect((await transport.list({ concern: 'disputed' })).payments).toEqual([]);
  });

  test('filters by exact externalId', async () => {
    const order = await create({ externalId: 'order/1 & ção' });
    const again = await create({ externalId: 'order/1 & ção' });
    await create({ externalId: 'ORDER/1 & ção' });
    await create();
    const { payments } = await transport.list({ externalId: 'order/1 & ção' });
    expect(ids(payments)).toEqual([again.id, order.id]);
    expect((await transport.list({ externalId: 'order/1' })).payments).toEqual([]);
    expect((await transport.list({ externalId: 'order%' })).payments).toEqual([]);
  });

  test('filters by time: from inclusive, to exclusive, in any time zone', async () => {
    const [first, second, third] = await createMany(3);
    const from = second?.createdAt ?? '';
    expect(ids((await transport.list({ createdFrom: from })).payments)).toEqual([third?.id, second?.id]);
    expect(ids((await transport.list({ createdTo: from })).payments)).toEqual([first?.id]);
    const to = third?.createdAt ?? '';
    expect(ids((await transport.list({ createdFrom: from, createdTo: to })).payments)).toEqual([second?.id]);
    expect((await transport.list({ createdFrom: from, createdTo: from })).payments).toEqual([]);
    const inBrasilia = `${new Date(Date.parse(from) - 3 * 3_600_000).toISOString().slice(0, -1)}-03:00`;
    expect(ids((await transport.list({ createdFrom: inBrasilia })).payments)).toEqual([
      third?.id,
      second?.id,
    ]);
  });

  test('combines filters', async () => {
    const [first, second] = await createMany(2);
    const query = { status: 'pending', externalId: 'order-0', createdTo: second?.createdAt ?? '' };
    expect(ids((await transport.list(query)).payments)).toEqual([first?.id]);
    expect((await transport.list({ ...query, status: 'completed' })).payments).toEqual([]);
  });

  const usual = standingFor(sortings, ([sort, order]) => (sort === 'amount') === (order === 'asc'));

  test.each(usual)(
    'sorts by %s, %s, each payment once while others are created',
    async (sort, order, amounts) => {
      const created: Listed[] = [];
      for (const amount of [2, 1, 2, 1, 3]) created.push(await create({ amount, externalId: 'sorted' }));
      for (const index of [4, 1, 0]) {
        clock.now = new Date(clock.now.getTime() + 1_000);
        await client.post(`/v1/sandbox/payments/${created[index]?.id}/pay`);
      }
      for (const filter of [{}, { externalId: 'sorted' }, { createdFrom: created[0]?.createdAt ?? '' }]) {
        const walked: Listed[] = [];
        let cursor: string | undefined;
        do {
          const { payments, next } = await transport.list({
            ...filter,
            sort,
            order,
            limit: 2,
            ...(cursor && { cursor }),
          });
          walked.push(...payments);
          cursor = next;
          if (walked.length === 2) await create({ amount: 2, externalId: 'meanwhile' });
        } while (cursor);
        const those = walked.filter(({ externalId }) => externalId === 'sorted');
        expect(those.map(({ amount }) => amount)).toEqual(amounts);
        expect(new Set(ids(walked)).size).toBe(walked.length);
        const instants = walked.map(({ id }) => id);
        if (sort === 'created')
          expect(instants).toEqual(order === 'asc' ? instants.toSorted() : instants.toSorted().reverse());
      }
    },
  );

  test('sorts what a filter lets through', async () => {
    const [, second, third] = [
      await create({ amount: 5 }),
      await create({ amount: 1 }),
      await create({ amount: 3 }),
    ];
    await client.post(`/v1/sandbox/payments/${second.id}/pay`);
    await client.post(`/v1/sandbox/payments/${third.id}/pay`);
    const list = async (query: Query) => ids((await transport.list({ sort: 'amount', ...query })).payments);
    expect(await list({ status: 'completed' })).toEqual([third.id, second.id]);
    expect(await list({ status: 'completed', order: 'asc' })).toEqual([second.id, third.id]);
    expect(await list({ createdTo: third.createdAt, status: 'completed' })).toEqual([second.id]);
    expect(await list({ sort: 'paid', status: 'pending' })).toEqual([]);
  });

  test('accepts bounds far from every payment', async () => {
    const { id } = await create();
    const wide = { createdFrom: '1969-07-20T20:17:40Z', createdTo: '9999-12-31T23:59:59Z' };
    expect(ids((await transport.list(wide)).payments)).toEqual([id]);
  });
});

const limitRule = 'must be a whole number from 1 to 100';
const statuses = 'pending, completed, expired, cancelled, refunded, failed';

const amountRule = 'must be an amount in BRL with at most two decimals';

describe('GET /v1/payments refuses', () => {
  test.each([
    ['limit=0', `limit ${limitRule}`],
    ['limit=-1', `limit ${limitRule}`],
    ['limit=101', `limit ${limitRule}`],
    ['limit=1.5', `limit ${limitRule}`],
    ['limit=ten', `limit ${limitRule}`],
    ['limit=', `limit ${limitRule}`],
    ['limit=1&limit=2', `limit ${limitRule}`],
    ['limit=Infinity', `limit ${limitRule}`],
    ['limit=%205', `limit ${limitRule}`],
    ['limit=0x10', `limit ${limitRule}`],
    ['amountTo=', `amountTo ${amountRule}`],
    ['amountFrom=%205', `amountFrom ${amountRule}`],
    ['amountFrom=12abc', `amountFrom ${amountRule}`],
    ['amountTo=1e', `amountTo ${amountRule}`],
    ['amountTo=0x10', `amountTo ${amountRule}`],
    ['amountTo=1.999', `amountTo ${amountRule}`],
    ['amountTo=1e309', `amountTo ${amountRule}`],
    ['amountTo=1&amountTo=2', `amountTo ${amountRule}`],
    ['externalId=', 'externalId must not be empty'],
    ['provider=', 'provider must not be empty'],
    ['status=paid', `status must be one of ${statuses}`],
    ['status=creating', `status must be one of ${statuses}`],
    ['status=PENDING', `status must be one of ${statuses}`],
    ['status=', `status must be one of ${statuses}`],
    ['status=pending&status=expired', `status must be one of ${statuses}`],
    ['externalId=a&externalId=b', 'externalId must be given once'],
    ['externalId=a%00b', 'externalId must be valid Unicode without NUL'],
    [
      'concern=refunded',
      'concern must be one of duplicated, paid_late, amount_differs, other_payer, disputed',
    ],
    ['createdFrom=2026-01-01', 'createdFrom must be an ISO 8601 instant such as 2026-11-21T00:00:00Z'],
    [
      'createdFrom=2026-02-30T00:00:00Z',
      'createdFrom must be an ISO 8601 instant such as 2026-11-21T00:00:00Z',
    ],
    [
      'createdFrom=2026-01-01T00:00:00',
      'createdFrom must be an ISO 8601 instant such as 2026-11-21T00:00:00Z',
    ],
    ['createdFrom=yesterday', 'createdFrom must be an ISO 8601 instant such as 2026-11-21T00:00:00Z'],
    ['createdTo=1767225600', 'createdTo must be an ISO 8601 instant such as 2026-11-21T00:00:00Z'],
    ['createdTo=', 'createdTo must be an ISO 8601 instant such as 2026-11-21T00:00:00Z'],
    ['cursor=', 'cursor must come from an earlier page'],
    ['cursor=forged', 'cursor must come from an earlier page'],
    [`cursor=${randomUUID()}`, 'cursor must come from an earlier page'],
    ['cursor=AAAA&cursor=BBBB', 'cursor must be given once'],
    [`cursor=${'A'.repeat(5_000)}`, 'cursor must come from an earlier page'],
    ["cursor=';DROP TABLE payment;--", 'cursor must come from an earlier page'],
    ['sort=name', 'sort must be one of created, amount, paid, due'],
    ['order=up', 'order must be one of desc, asc'],
    ['sort=amount&search=x', 'sort must be left out with search or payer: they list the newest first'],
    ['order=asc&payer=x', 'order must be left out with search or payer: they list the newest first'],
    ['payer=a&payer=b', 'payer must be given once'],
    ['payer=%3B', 'payer must be a document, an e-mail address, a phone number or words of a name'],
    ['limit=0&status=paid', `status must be one of ${statuses}; limit ${limitRule}`],
  ])('?%s with 400, naming the field', async (query, message) => {
    const answer = await client.get(`/v1/payments?${query}`);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe(message);
  });

  test('a tampered cursor', async () => {
    await createMany(2);
    const { next = '' } = await rest.list({ limit: 1 });
    for (const cursor of [next.slice(1), `${next}A`, `${next}=`, ` ${next}`, `${next}.`]) {
      expectError(await client.get(`/v1/payments?cursor=${encodeURIComponent(cursor)}`), 400, 'BadRequest');
    }
  });

  test('a cursor of a list in another order', async () => {
    await createMany(2);
    const orders = ['', '&order=asc', '&sort=amount', '&sort=amount&order=asc'];
    for (const order of orders) {
      const { nextCursor } = (await client.get(`/v1/payments?limit=1${order}`)).body;
      for (const other of [...orders, '&sort=paid'].filter((each) => each !== order))
        expectError(await client.get(`/v1/payments?cursor=${nextCursor}${other}`), 400, 'BadRequest');
    }
  });

  test('nothing unknown', async () => {
    const { id } = await create();
    const { body } = await client.get('/v1/payments?colour=red&__proto__=1&constructor=1&toString');
    expect(body).toMatchObject({ data: [{ id }] });
  });
});

describe('payments over GraphQL refuse', () => {
  test.each([
    ['first: 0', `first ${limitRule}`],
    ['first: -1', `first ${limitRule}`],
    ['first: 101', `first ${limitRule}`],
    ['after: ""', 'after must come from an earlier page'],
    ['after: "forged"', 'after must come from an earlier page'],
    ['filter: { externalId: "a\\u0000b" }', 'externalId must be valid Unicode without NUL'],
  ])('%s, naming their own arguments', async (argument, message) => {
    const { body } = await client.graphql(`{ payments(${argument}) { edges { cursor } } }`);
    expect(body.errors).toMatchObject([
      { message, extensions: { code: 'BAD_USER_INPUT', statusCode: 400, error: 'BadRequest' } },
    ]);
  });

  test.each([
    'first: "2"',
    'filter: { status: paid }',
    'filter: { status: "pending" }',
    'filter: { concern: refunded }',
    'filter: { createdFrom: "yesterday" }',
    'filter: { colour: "red" }',
    'last: 3',
  ])('%s as BAD_USER_INPUT', async (argument) => {
    const { body } = await client.graphql(`{ payments(${argument}) { edges { cursor } } }`);
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', statusCode: 400 });
  });

  test('nothing that is null: it counts as absent', async () => {
    const { id } = await create();
    const nulls = [
      'filter: null, after: null',
      'filter: { status: null, externalId: null, concern: null, createdFrom: null, createdTo: null }',
    ];
    for (const argument of nulls) {
      const { body } = await client.graphql(
        `{ payments(${argument}) { edges { node { id } } pageInfo { hasPreviousPage } } }`,
      );
      expect(body).toEqual({
        data: { payments: { edges: [{ node: { id } }], pageInfo: { hasPreviousPage: false } } },
      });
    }
  });
});

describe('the connection', () => {
  test('reports the position of each page', async () => {
    await createMany(3);
    const first = (await client.graphql(connection, { first: 2 })).body.data.payments;
    expect(first.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0].cursor,
      endCursor: first.edges[1].cursor,
    });
    const last = (await client.graphql(connection, { first: 2, after: first.pageInfo.endCursor })).body.data
      .payments;
    expect(last.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: last.edges[0].cursor,
      endCursor: last.edges[0].cursor,
    });
  });

  test('has no cursors when it is empty', async () => {
    const { payments } = (await client.graphql(connection)).body.data;
    expect(payments).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test('shares its cursors with REST, and may start at any edge', async () => {
    const created = await createMany(4);
    const { edges } = (await client.graphql(connection)).body.data.payments;
    const { payments } = await rest.list({ cursor: edges[1].cursor });
    expect(ids(payments)).toEqual(ids(created.slice(0, 2)).reverse());
    const { next = '' } = await rest.list({ limit: 3 });
    expect(ids((await graphql.list({ cursor: next })).payments)).toEqual([created[0]?.id]);
  });
});

describe('a parameter that a list does not have', () => {
  test.each([
    ['/v1/payments', 'document'],
    ['/v1/payments', 'payerDocument'],
    ['/v1/payments', 'external_id'],
    ['/v1/payments', 'Status'],
    ['/v1/payments', 'status[]'],
    ['/v1/payments', 'status[$ne]'],
    ['/v1/payments', 'filter[status]'],
    ['/v1/payments', 'status__in'],
    ['/v1/payments', 'createdAt.gte'],
    ['/v1/payments', 'amount>'],
    ['/v1/payment-links', 'status[$ne]'],
    ['/v1/events', 'after[gt]'],
    ['/v1/payments', 'page'],
    ['/v1/events', 'cursor'],
    ['/v1/events', 'type'],
    ['/v1/payment-links', 'status'],
    [`/v1/payment-links/${randomUUID()}/payments`, 'search'],
    [`/v1/payments/${randomUUID()}/refunds`, 'status'],
    ['/v1/refunds', 'paymentId'],
    ['/v1/refunds', 'sort'],
    ['/v1/disputes', 'state'],
    ['/v1/disputes', 'payment_id'],
    ['/v1/recurrences', 'externalId'],
    [`/v1/recurrences/${randomUUID()}/payments`, 'page'],
  ])('is refused by %s when it is meant as a filter: %s', async (path, name) => {
    const answer = await client.get(`${path}?limit=5&${encodeURIComponent(name)}=52998224725`);
    expectError(answer, 400, 'BadRequest');
    expect(answer.headers.get('x-error-code')).toBe('invalid_request');
    expect(answer.body.message).toMatch(`${name} is not a parameter of this list, which has `);
    expect(answer.body.message).not.toContain('52998224725');
  });

  test.each([
    '/v1/payments',
    '/v1/events',
    '/v1/payment-links',
    '/v1/refunds',
    '/v1/disputes',
    '/v1/recurrences',
  ])('is ignored by %s when it says nothing about the list', async (path) => {
    const others = 'utm_source=mail&_=1&traceId=a&v=2&__proto__=x&constructor=y&%00=z';
    expect((await client.get(`${path}?limit=5&${others}`)).status).toBe(200);
  });
});

describe('payments of a time', () => {
  const idsOf = async (query: string): Promise<string[]> =>
    ((await client.get(`/v1/payments?limit=100&${query}`)).body.data as Listed[]).map(({ id }) => id);
  const pass = (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms);
  };
  const pay = ({ id }: Listed) => client.post(`/v1/sandbox/payments/${id}/pay`);
  const written = (at: Date) =>
    new Date(at.getTime() - 3 * 3_600_000)
      .toISOString()
      .replace(/^\d{4}-(\d\d)-(\d\d)T(\d\d):(\d\d).*/, '$2/$1 $3:$4');

  test('are listed by when they were paid, whatever else is asked for', async () => {
    const [first, second, unpaid] = [await create(), await create({ amount: 2 }), await create()];
    await pay(second);
    pass(10_000);
    const between = clock.now.toISOString();
    pass(10_000);
    await pay(first);
    expect(await idsOf(`paidFrom=${between}`)).toEqual([first.id]);
    expect(await idsOf(`paidTo=${between}&sort=paid`)).toEqual([second.id]);
    const query =
      'query ($paidFrom: DateTime) { payments(filter: { paidFrom: $paidFrom }) { edges { node { id } } } }';
    const { body } = await client.post('/graphql', { query, variables: { paidFrom: between } });
    expect(body.data.payments.edges).toEqual([{ node: { id: first.id } }]);
    expect(await idsOf(`paidTo=${between}&amountFrom=3`)).toEqual([]);
    expect(await idsOf('paidFrom=2020-01-01T00:00:00Z&sort=paid')).toEqual([first.id, second.id]);
    expect(await idsOf('sort=created')).toContain(unpaid.id);
    expect(await client.get('/v1/payments?paidFrom=yesterday')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^paidFrom must be/) },
    });
  });

  test('are found by name, amount and hour together, if they were created or paid then', async () => {
    const payer = { name: 'Maria Souza' };
    const asked = { amount: 19.9, payer };
    const early = await create(asked);
    pass(3 * 3_600_000);
    const [late, other] = [await create(asked), await create({ amount: 20, payer })];
    await create({ amount: 19.9, payer: { name: 'Joana Prado' } });
    const find = (text: string) => idsOf(`search=${encodeURIComponent(text)}`);
    expect(await find('maria 19,90')).toEqual([late.id, early.id]);
    expect(await find(`maria 19,90 ${written(clock.now)}`)).toEqual([late.id]);
    expect(await find(`maria R$ 20 ${written(clock.now)}`)).toEqual([other.id]);
    await pay(early);
    expect(await find(`maria 19,90 ${written(clock.now)}`)).toEqual([late.id, early.id]);
    expect(await idsOf('search=maria%2019,90&amountTo=10')).toEqual([]);
    expect(await find(`${written(clock.now)}`)).toHaveLength(4);
  });
});
