import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from './support/app.ts';
import { type Answer, createClient } from './support/client.ts';
import { query } from './support/database.ts';
import { createKey, type TestKey } from './support/factories.ts';

/** What both transports must agree on. */
interface Outcome {
  status: number;
  error?: string;
  message?: string;
  refund?: Record<string, unknown>;
}

interface Asked {
  key: string | undefined;
  id: string;
  amount?: unknown;
  idempotencyKey?: string;
}

type Transport = (asked: Asked) => Promise<Outcome>;

const headersOf = ({ idempotencyKey }: Asked): Record<string, string> =>
  idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };

const bodyOf = (asked: Asked) => ('amount' in asked ? { amount: asked.amount } : {});

const sendRest = (asked: Asked): Promise<Answer> => {
  const body = 'amount' in asked ? bodyOf(asked) : undefined;
  return createClient(app.baseUrl, asked.key).post(
    `/v1/payments/${asked.id}/refunds`,
    body,
    headersOf(asked),
  );
};

const overRest: Transport = async (asked) => {
  const { status, body } = await sendRest(asked);
  return status === 201 ? { status, refund: body } : { status, error: body.error, message: body.message };
};

const overGraphql: Transport = async (asked) => {
  const text = `mutation ($id: ID!, $amount: Float) {
    refundPayment(id: $id, amount: $amount) { id paymentId amount status createdAt }
  }`;
  const variables = { id: asked.id, ...bodyOf(asked) };
  const client = createClient(app.baseUrl, asked.key);
  const { body } = await client.graphql(text, variables, headersOf(asked));
  const [failure] = body.errors ?? [];
  if (!failure) return { status: 201, refund: body.data.refundPayment };
  const { statusCode, error } = failure.extensions;
  return { status: statusCode, error, message: failure.message };
};

const transports = { REST: overRest, GraphQL: overGraphql };

let app: TestApp;
let owner: TestKey;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  owner = await createKey(app.services);
});

afterAll(() => app.stop());

async function pendingPayment(amount: number, { key }: TestKey = owner): Promise<string> {
  const { body } = await createClient(app.baseUrl, key).post('/v1/payments', { amount });
  return body.id;
}

async function paidPayment(amount: number, of: TestKey = owner): Promise<string> {
  const id = await pendingPayment(amount, of);
  const paid = await createClient(app.baseUrl, of.key).post(`/v1/sandbox/payments/${id}/pay`);
  expect(paid.body).toMatchObject({ status: 'completed' });
  return id;
}

const statusOf = async (id: string): Promise<unknown> =>
  (await createClient(app.baseUrl, owner.key).get(`/v1/payments/${id}`)).body.status;

const refundsOf = (id: string): Promise<{ amount: string }[]> =>
  query(
    app.databaseUrl,
    'SELECT amount_in_cents::text AS amount FROM refund WHERE payment_id = $1 ORDER BY created_at, id',
    [id],
  );

describe.each(['REST', 'GraphQL'] as const)('a refund over %s', (name) => {
  const refund = (id: string, asked: Partial<Asked> = {}) =>
    transports[name]({ key: owner.key, id, ...asked });

  test.each<[name: string, amount: number, message: string]>([
    ['zero', 0, 'amount must be at least 0.01'],
    ['a negative amount', -1, 'amount must be at least 0.01'],
    ['three decimals', 1.234, 'amount must have at most two decimals'],
    ['a tenth of a centavo', 0.001, 'amount must be at least 0.01; amount must have at most two decimals'],
    ['a centavo more than was paid', 10.01, 'amount must be at most 10, the remaining refundable amount'],
    ['more than any payment', 1e300, 'amount must be at most 10, the remaining refundable amount'],
  ])('of %s is refused with 400, and nothing is refunded', async (_name, amount, message) => {
    const id = await paidPayment(10);
    expect(await refund(id, { amount })).toEqual({
      status: 400,
      error: 'BadRequest',
      message,
    });
    expect(await refundsOf(id)).toEqual([]);
    expect(await statusOf(id)).toBe('completed');
  });

  test.each([
    ['a string', '5.00'],
    ['a boolean', true],
    ['a list', [5]],
  ])('of %s is refused with 400, naming the amount', async (_name, amount) => {
    const id = await paidPayment(10);
    expect(await refund(id, { amount })).toEqual({
      status: 400,
      error: 'BadRequest',
      message: expect.stringContaining('amount'),
    });
    expect(await refundsOf(id)).toEqual([]);
  });

  test('of more than is left is refused with 400', async () => {
    const id = await paidPayment(10);
    await refund(id, { amount: 7.5 });
    expect(await refund(id, { amount: 2.51 })).toMatchObject({
      status: 400,
      message: 'amount must be at most 2.5, the remaining refundable amount',
    });
    expect(await refundsOf(id)).toEqual([{ amount: '750' }]);
  });

  test('without a key is refused with 401', async () => {
    const id = await paidPayment(1);
    expect(await refund(id, { key: undefined })).toMatchObject({ status: 401, error: 'Unauthorized' });
  });

  test('by a key without the permission is refused with 403, whether or not the payment exists', async () => {
    const { key } = await createKey(app.services, {
      organizationId: owner.organizationId,
      permissions: ['payments:create', 'payments:cancel'],
    });
    for (const id of [await paidPayment(1), randomUUID()]) {
      expect(await refund(id, { key })).toEqual({
        status: 403,
        error: 'Forbidden',
        message: 'This API key lacks the permission payments:refund',
      });
    }
  });

  test.each([
    ['an unknown payment', randomUUID()],
    ['an id that is no UUID', 'not-a-uuid'],
  ])('of %s gets 404 and names it', async (_name, id) => {
    expect(await refund(id, { amount: 1 })).toEqual({
      status: 404,
      error: 'NotFound',
      message: `Payment ${id} was not found`,
    });
  });

  test("of another organization's or mode's payment gets the same 404 as an unknown one", async () => {
    const id = await paidPayment(1);
    const stranger = await createKey(app.services);
    const live = await createKey(app.services, { mode: 'live', organizationId: owner.organizationId });
    for (const { key } of [stranger, live]) {
      expect(await refund(id, { key })).toMatchObject({
        status: 404,
        message: `Payment ${id} was not found`,
      });
    }
    expect(await refundsOf(id)).toEqual([]);
  });

  test.each<[status: string, make: () => Promise<string>]>([
    ['pending', () => pendingPayment(1)],
    [
      'cancelled',
      async () => {
        const id = await pendingPayment(1);
        await createClient(app.baseUrl, owner.key).post(`/v1/payments/${id}/cancel`);
        return id;
      },
    ],
    [
      'refunded',
      async () => {
        const id = await paidPayment(1);
        await refund(id);
        return id;
      },
    ],
  ])('of a %s payment is refused with 409', async (status, make) => {
    const id = await make();
    for (const asked of [{}, { amount: 0.01 }]) {
      expect(await refund(id, asked)).toEqual({
        status: 409,
        error: 'Conflict',
        message: `A payment that is ${status} cannot be refunded`,
      });
    }
  });

  test('with the same Idempotency-Key and another amount, or for another payment, is refused with 422', async () => {
    const idempotencyKey = randomUUID();
    const id = await paidPayment(10);
    await refund(id, { amount: 1, idempotencyKey });
    const other = await paidPayment(10);
    const again = [
      await refund(id, { amount: 2, idempotencyKey }),
      await refund(id, { idempotencyKey }),
      await refund(other, { amount: 1, idempotencyKey }),
    ];
    for (const outcome of again) {
      expect(outcome).toMatchObject({
        status: 422,
        error: 'UnprocessableEntity',
        message: 'Idempotency-Key was already used to refund another payment, or with a different body',
      });
    }
    expect(await refundsOf(id)).toHaveLength(1);
    expect(await refundsOf(other)).toEqual([]);
  });

  test('with the Idempotency-Key of a refused one can be requested again', async () => {
    const idempotencyKey = randomUUID();
    const id = await paidPayment(10);
    expect(await refund(id, { amount: 11, idempotencyKey })).toMatchObject({ status: 400 });
    expect(await refund(id, { amount: 10, idempotencyKey })).toMatchObject({ status: 201 });
  });

  test('in part leaves the payment completed', async () => {
    const id = await paidPayment(19.9);
    expect(await refund(id, { amount: 0.01 })).toEqual({
      status: 201,
      refund: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        paymentId: id,
        amount: 0.01,
        status: 'completed',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(await statusOf(id)).toBe('completed');
  });

  test.each([
    ['the whole amount is named', { amount: 19.9 }],
    ['no amount is named', {}],
    ['the amount is null, which counts as absent', { amount: null }],
  ])('returns everything, and the payment is refunded, when %s', async (_name, asked) => {
    const id = await paidPayment(19.9);
    expect(await refund(id, asked)).toMatchObject({ status: 201, refund: { amount: 19.9 } });
    expect(await statusOf(id)).toBe('refunded');
  });

  test('of the rest follows partial ones, to the centavo', async () => {
    const id = await paidPayment(0.3);
    await refund(id, { amount: 0.1 });
    await refund(id, { amount: 0.1 });
    expect(await refund(id)).toMatchObject({ status: 201, refund: { amount: 0.1 } });
    expect(await statusOf(id)).toBe('refunded');
  });

  test('finds its payment by an id in upper case', async () => {
    const id = await paidPayment(1);
    expect(await refund(id.toUpperCase())).toMatchObject({ status: 201, refund: { paymentId: id } });
  });

  test('is made once when requested twice with one Idempotency-Key', async () => {
    const asked = { amount: 4, idempotencyKey: randomUUID() };
    const id = await paidPayment(10);
    const first = await refund(id, asked);
    expect(first.status).toBe(201);
    expect(await refund(id, asked)).toEqual(first);
    expect(await refundsOf(id)).toEqual([{ amount: '400' }]);
  });

  test('is not repeated over the other transport with the same Idempotency-Key', async () => {
    const asked = { key: owner.key, id: await paidPayment(10), amount: 4, idempotencyKey: randomUUID() };
    const other = name === 'REST' ? 'GraphQL' : 'REST';
    const first = await transports[name](asked);
    expect((await transports[other](asked)).refund).toEqual(first.refund);
    expect(await refundsOf(asked.id)).toHaveLength(1);
  });

  test('never returns more than was paid, however many run at once', async () => {
    const id = await paidPayment(10);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refund(id, { amount: 3 })));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(outcomes.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(await refundsOf(id)).toHaveLength(3);
  });
});

interface Listing {
  status: number;
  message?: string;
  refunds?: unknown[];
  next?: string;
}

const listings: Record<
  keyof typeof transports,
  (key: string, id: string, limit?: number, after?: string) => Promise<Listing>
> = {
  async REST(key, id, limit = 20, after) {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(after !== undefined && { cursor: after }),
    });
    const { status, body } = await createClient(app.baseUrl, key).get(
      `/v1/payments/${id}/refunds?${query.toString()}`,
    );
    if (status !== 200) return { status, message: body.message };
    return { status, refunds: body.data, next: body.nextCursor };
  },
  async GraphQL(key, id, limit = 20, after) {
    const text = `query ($id: ID!, $first: Int!, $after: String) {
      refunds(paymentId: $id, first: $first, after: $after) {
        edges { node { id paymentId amount status createdAt } } pageInfo { hasNextPage endCursor }
      }
    }`;
    const { body } = await createClient(app.baseUrl, key).graphql(text, { id, first: limit, after });
    const [failure] = body.errors ?? [];
    if (failure) return { status: failure.extensions.statusCode, message: failure.message };
    const { edges, pageInfo } = body.data.refunds;
    return {
      status: 200,
      refunds: edges.map(({ node }: { node: object }) => node),
      ...(pageInfo.hasNextPage && { next: pageInfo.endCursor }),
    };
  },
};

describe.each(['REST', 'GraphQL'] as const)('the refunds of a payment over %s', (name) => {
  const list = (id: string, limit?: number, after?: string) => listings[name](owner.key, id, limit, after);

  test('are those requested, in order and in pages', async () => {
    const id = await paidPayment(10);
    expect(await list(id)).toEqual({ status: 200, refunds: [] });
    const made = [];
    for (const amount of [1, 2, 3]) {
      made.push((await transports[name]({ key: owner.key, id, amount })).refund);
    }
    expect(await list(id.toUpperCase())).toEqual({ status: 200, refunds: made });
    const first = await list(id, 2);
    expect(first).toEqual({ status: 200, refunds: made.slice(0, 2), next: expect.any(String) });
    expect(await list(id, 2, first.next)).toEqual({ status: 200, refunds: made.slice(2) });
  });

  test('can be read by a key without permissions, and by no other organization or mode', async () => {
    const id = await paidPayment(1);
    const { organizationId } = owner;
    const reading = await createKey(app.services, { organizationId, permissions: [] });
    expect(await listings[name](reading.key, id)).toEqual({ status: 200, refunds: [] });
    const strangers = [
      await createKey(app.services),
      await createKey(app.services, { organizationId, mode: 'live' }),
    ];
    for (const { key } of strangers) {
      expect(await listings[name](key, id)).toEqual({ status: 404, message: `Payment ${id} was not found` });
    }
  });

  test.each([
    ['a limit of nothing', 0, undefined, /(limit|first) must be a whole number from 1 to 100/],
    ['a limit beyond a page', 101, undefined, /(limit|first) must be a whole number from 1 to 100/],
    ['a cursor of their own', 20, 'mine', /(cursor|after) must come from an earlier page/],
  ])('are refused to callers with %s', async (_name, limit, after, message) => {
    const id = await paidPayment(1);
    expect(await list(id, limit, after)).toEqual({ status: 400, message: expect.stringMatching(message) });
  });
});

test('a refund returns the Pix of the code that the payer was given, not that of a lost charge', async () => {
  const { organizationId, key } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await query(
    app.databaseUrl,
    `INSERT INTO received_pix
       (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)
     VALUES ($1, $2, $3, $4, 100, now(), now() - interval '1 minute')`,
    [organizationId, `E-lost-${randomUUID()}`, body.id, randomUUID()],
  );
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  expect((await client.post(`/v1/payments/${body.id}/refunds`)).status).toBe(201);
  const [refund] = await query<{ isChosen: boolean }>(
    app.databaseUrl,
    `SELECT r.attempt_id = p.attempt_id AS "isChosen" FROM refund r JOIN payment p ON p.id = r.payment_id
     WHERE p.id = $1 AND p.organization_id = $2`,
    [body.id, organizationId],
  );
  expect(refund).toEqual({ isChosen: true });
});

test('a replayed refund is marked as such in the REST headers', async () => {
  const asked = { key: owner.key, id: await paidPayment(1), idempotencyKey: randomUUID() };
  expect((await sendRest(asked)).headers.has('Idempotency-Replayed')).toBe(false);
  expect((await sendRest(asked)).headers.get('Idempotency-Replayed')).toBe('true');
});
