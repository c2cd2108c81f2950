import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { insertCredential } from '../../support/routing.ts';

let databaseUrl: string;
let app: TestApp;
let owner: TestKey;
let client: Client;
let clock: Date;

/** 12:00 in São Paulo. */
const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);

const payer = { name: 'João Souza', document: '529.982.247-25' };

/** Due on a Thursday. */
const terms = {
  date: '2026-12-10',
  fine: { percent: 2 },
  interest: { percentPerMonth: 1 },
  discounts: [{ until: '2026-12-05', amount: 10 }],
  rebate: { amount: 5 },
};

const create = (body: object = {}) =>
  client.post('/v1/payments', { amount: 105, payer, due: terms, ...body });

async function createDue(body: object = {}): Promise<string> {
  const created = await create(body);
  expect(created).toMatchObject({ status: 201, body: {} });
  return created.body.id as string;
}

const paymentOf = async (id: string) => (await client.get(`/v1/payments/${id}`)).body;
const pay = async (id: string, body?: object) =>
  (await client.post(`/v1/sandbox/payments/${id}/pay`, body)).body;

async function runChecks(): Promise<void> {
  for (let round = 0; round < 10; round++) if ((await app.services.reconciliation.payment(50)) === 0) return;
}

async function checkOn(day: string): Promise<void> {
  clock = noonOf(day);
  await runChecks();
}

const eventsOf = async (id: string): Promise<string[]> => {
  const { body } = await client.get('/v1/events');
  const events = body.data as { type: string; data: { id: string } }[];
  return events.filter(({ data }) => data.id === id).map(({ type }) => type);
};

beforeAll(async () => {
  clock = noonOf('2026-12-01');
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

afterAll(() => app.stop());

beforeEach(async () => {
  clock = noonOf('2026-12-01');
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

describe('a payment with a due date', () => {
  test('has the terms as sent, with their defaults, and what follows from them', async () => {
    const { body } = await create();
    expect(body).toMatchObject({
      amount: 105,
      status: 'pending',
      due: {
        ...terms,
        interest: { percentPerMonth: 1, businessDays: false },
        payableDaysAfter: 30,
        adjustedDate: '2026-12-10',
        lastPayableOn: '2027-01-11',
        amountToday: 90,
        next: { until: '2026-12-07', amount: 100 },
      },
      // The end of that day in São Paulo.
      expiresAt: '2027-01-12T02:59:59.999Z',
    });
    expect(body).not.toHaveProperty('amountPaid');
    expect(body).not.toHaveProperty('overdue');
  });

  test('says nothing of a next amount where there is none, or no more', async () => {
    const due = { date: '2026-12-10', payableDaysAfter: 0, discounts: [{ until: '2026-12-08', amount: 10 }] };
    const { body } = await create({ due });
    expect(body.due.next).toEqual({ until: '2026-12-08', amount: 105 });
    clock = noonOf('2026-12-09');
    expect(await paymentOf(body.id)).toMatchObject({ due: { amountToday: 105 } });
    expect((await paymentOf(body.id))['due']).not.toHaveProperty('next');
    const { body: read } = await client.graphql(`{ payment(id: "${body.id}") { due { next { until } } } }`);
    expect(read.data.payment.due).toEqual({ next: null });
  });

  test('asks for another amount each day', async () => {
    const id = await createDue();
    const owedOn = async (day: string) => {
      clock = noonOf(day);
      const { due } = (await paymentOf(id)) as { due: { amountToday: number } };
      return due.amountToday;
    };
    // 5 December is a Saturday, so the discount holds until Monday.
    expect(await owedOn('2026-12-07')).toBe(90);
    expect(await owedOn('2026-12-08')).toBe(100);
    expect(await owedOn('2026-12-10')).toBe(100);
    expect(await owedOn('2026-12-11')).toBe(102.03);
    expect(await owedOn('2026-12-25')).toBe(102.5);
  });

  test('has the amounts of GraphQL too', async () => {
    const id = await createDue();
    clock = noonOf('2026-12-20');
    await pay(id);
    const fields = `amount amountPaid overdue amountParts { original rebate discount fine interest computed }
      due { date payableDaysAfter adjustedDate lastPayableOn amountToday rebate { amount percent }
        fine { percent } interest { percentPerMonth businessDays } discounts { until amount } }`;
    const { body } = await client.graphql(`query ($id: ID!) { payment(id: $id) { ${fields} } }`, { id });
    const rest = await paymentOf(id);
    expect(body).toMatchObject({
      data: {
        payment: {
          amount: 105,
          amountPaid: 102.33,
          amountParts: rest['amountParts'],
          due: { date: '2026-12-10', rebate: { amount: 5, percent: null } },
        },
      },
    });
  });
});

describe('what it refuses', () => {
  const refusals: [string, object, RegExp][] = [
    ['a day that does not exist', { due: { date: '2026-02-30' } }, /due\.date must be a day that exists/],
    ['no date', { due: {} }, /due\.date is required/],
    ['yesterday', { due: { date: '2026-11-30' } }, /due\.date must not be before today, 2026-12-01/],
    ['eleven years ahead', { due: { date: '2037-01-01' } }, /due\.date must be at most 10 years ahead/],
    [
      'half a day',
      { due: { date: '2026-12-10', payableDaysAfter: 0.5 } },
      /due\.payableDaysAfter must be a whole number/,
    ],
    [
      '366 days',
      { due: { date: '2026-12-10', payableDaysAfter: 366 } },
      /due\.payableDaysAfter must be a whole/,
    ],
    ['a fine of nothing', { due: { date: '2026-12-10', fine: {} } }, /due\.fine must have exactly one of/],
    [
      'a fine of both',
      { due: { date: '2026-12-10', fine: { percent: 1, amount: 1 } } },
      /due\.fine must have exactly one of percent, amount/,
    ],
    [
      'a fine above 100 %',
      { due: { date: '2026-12-10', fine: { percent: 101 } } },
      /due\.fine\.percent must be at/,
    ],
    [
      'three decimals',
      { due: { date: '2026-12-10', fine: { percent: 1.001 } } },
      /due\.fine\.percent must have at most two decimals/,
    ],
    [
      'a misspelt member',
      { due: { date: '2026-12-10', fines: { percent: 1 } } },
      /due has unknown members: fines/,
    ],
    [
      'two kinds of interest',
      { due: { date: '2026-12-10', interest: { percentPerDay: 1, amountPerDay: 1 } } },
      /due\.interest must have exactly one of/,
    ],
    [
      'negative interest',
      { due: { date: '2026-12-10', interest: { percentPerDay: -1 } } },
      /due\.interest\.percentPerDay must be at least 0\.01/,
    ],
    [
      'a discount after the due date',
      { due: { date: '2026-12-10', discounts: [{ until: '2026-12-11', amount: 1 }] } },
      /due\.discounts\.0\.until must not be after the due date/,
    ],
    [
      'a thousand discounts',
      {
        due: {
          date: '2026-12-10',
          discounts: Array.from({ length: 1_000 }, () => ({ until: '2026-12-02', amount: 1 })),
        },
      },
      /due\.discounts must have one to 3 items/,
    ],
    [
      'a later discount that is greater',
      {
        due: {
          date: '2026-12-10',
          discounts: [
            { until: '2026-12-02', amount: 1 },
            { until: '2026-12-03', amount: 2 },
          ],
        },
      },
      /due\.discounts\.1\.amount must be less than the discount before it/,
    ],
    [
      'percent and amount mixed',
      {
        due: {
          date: '2026-12-10',
          discounts: [
            { until: '2026-12-02', amount: 2 },
            { until: '2026-12-03', percent: 1 },
          ],
        },
      },
      /due\.discounts\.1\.percent must not be mixed/,
    ],
    [
      'both kinds of discount',
      {
        due: {
          date: '2026-12-10',
          discounts: [{ until: '2026-12-02', amount: 2 }],
          earlyDiscount: { amountPerDay: 1 },
        },
      },
      /due\.earlyDiscount must be left out/,
    ],
    [
      'a discount of everything',
      {
        due: { date: '2026-12-10', discounts: [{ until: '2026-12-05', amount: 100 }], rebate: { amount: 5 } },
      },
      /due must leave at least 0\.01/,
    ],
    [
      'no payer',
      { payer: undefined },
      /payer\.name is required with due; payer\.document is required with due/,
    ],
    ['no document', { payer: { name: 'João' } }, /payer\.document is required with due/],
    ['an expiry', { expirationMinutes: 60 }, /expirationMinutes must be left out when due is given/],
  ];
  test.each([
    ['due', (deep: string) => deep],
    ['due.fine', (deep: string) => `{"date":"2026-12-10","fine":${deep}}`],
  ])('thousands of levels of arrays as %s', async (name, dueWith) => {
    const due = dueWith('['.repeat(10_000) + ']'.repeat(10_000));
    const { status, body } = await client.post(
      '/v1/payments',
      `{"amount":1,"payer":${JSON.stringify(payer)},"due":${due}}`,
    );
    expect([status, body.message]).toEqual([400, `${name} must be a JSON object`]);
  });

  test.each(refusals)('%s is an error that names the field', async (_name, body, message) => {
    const { status, body: error } = await create(body);
    expect({ status, error }).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(message) },
    });
  });

  test('a provider without charges with a due date', async () => {
    const { id: credentialId } = await insertCredential(databaseUrl, owner.organizationId, {
      provider: 'mercadopago',
    });
    const { status, body, headers } = await create({ credentialId });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: 'mercadopago does not take due' },
    });
    expect(headers.get('X-Error-Code')).toBe('due_not_accepted');
  });
});

describe('paying it', () => {
  test('early takes rebate and discount off', async () => {
    const id = await createDue();
    expect(await pay(id)).toMatchObject({
      status: 'completed',
      amount: 105,
      amountPaid: 90,
      amountParts: { original: 105, rebate: 5, discount: 10, fine: 0, interest: 0, computed: true },
    });
  });

  test('late adds fine and interest, and all of it can be refunded, but no more', async () => {
    const id = await createDue();
    clock = noonOf('2026-12-20');
    expect(await pay(id)).toMatchObject({
      amountPaid: 102.33,
      amountParts: { original: 105, rebate: 5, discount: 0, fine: 2, interest: 0.33, computed: true },
    });
    const tooMuch = await client.post(`/v1/payments/${id}/refunds`, { amount: 102.34 });
    expect(tooMuch).toMatchObject({ status: 400, body: { message: expect.stringMatching('102.33') } });
    expect((await client.post(`/v1/payments/${id}/refunds`, { amount: 100 })).status).toBe(201);
    expect(await paymentOf(id)).toMatchObject({ status: 'completed', amountRefunded: 100 });
    expect((await client.post(`/v1/payments/${id}/refunds`)).status).toBe(201);
    expect(await paymentOf(id)).toMatchObject({ status: 'refunded', amountRefunded: 102.33 });
  });

  test('an amount that no day asks for pays it all the same, for a person to look at', async () => {
    const [little, much, rounded] = [await createDue(), await createDue(), await createDue()];
    await pay(little, { amount: 80 });
    await pay(much, { amount: 103.18 });
    await pay(rounded, { amount: 100.07 });
    expect(await paymentOf(little)).toMatchObject({ status: 'completed', amountPaid: 80 });
    expect(await paymentOf(little)).not.toHaveProperty('amountParts');
    expect(await paymentOf(much)).toMatchObject({ status: 'completed', amountPaid: 103.18 });
    const { body } = await client.get('/v1/payments?concern=amount_differs');
    expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual(
      expect.arrayContaining([much, little]),
    );
  });

  test('twice is a payment twice, as ever', async () => {
    const id = await createDue();
    await pay(id);
    await pay(id);
    expect(await eventsOf(id)).toEqual(['payment_completed', 'payment_duplicated']);
  });
});

describe('when its due date passes', () => {
  test('it is overdue once, and can still be paid', async () => {
    const id = await createDue();
    await checkOn('2026-12-10');
    expect(await paymentOf(id)).not.toHaveProperty('overdue');
    await checkOn('2026-12-11');
    expect(await paymentOf(id)).toMatchObject({ status: 'pending', overdue: true });
    await checkOn('2026-12-12');
    await checkOn('2026-12-13');
    expect(await eventsOf(id)).toEqual(['payment_overdue']);
    await pay(id);
    expect(await eventsOf(id)).toEqual(['payment_overdue', 'payment_completed']);
    expect(await paymentOf(id)).not.toHaveProperty('overdue');
  });

  test('a Pix whose notification was lost is found before it would be overdue', async () => {
    const id = await createDue();
    await query(
      databaseUrl,
      `INSERT INTO sandbox_pix (end_to_end_id, transaction_id, paid_at, amount_in_cents)
       SELECT 'E' || replace(id::text, '-', ''), replace(id::text, '-', ''), $2, 10000
       FROM payment_attempt WHERE payment_id = $1`,
      [id, noonOf('2026-12-10')],
    );
    await checkOn('2026-12-11');
    expect(await paymentOf(id)).toMatchObject({ status: 'completed', amountPaid: 100 });
    expect(await eventsOf(id)).toEqual(['payment_completed']);
  });

  test('due on a Saturday, it is not overdue before Tuesday', async () => {
    const id = await createDue({ due: { date: '2026-12-12' } });
    await checkOn('2026-12-14');
    expect(await paymentOf(id)).not.toHaveProperty('overdue');
    await checkOn('2026-12-15');
    expect(await paymentOf(id)).toMatchObject({ overdue: true });
  });

  test('it expires a business day after the last day on which it can be paid', async () => {
    const id = await createDue({ due: { date: '2026-12-10', payableDaysAfter: 1 } });
    expect(await paymentOf(id)).toMatchObject({ due: { lastPayableOn: '2026-12-11' } });
    await checkOn('2026-12-13');
    await checkOn('2026-12-14');
    expect(await paymentOf(id)).toMatchObject({ status: 'pending', overdue: true });
    await checkOn('2026-12-15');
    clock = new Date(clock.getTime() + 120_000);
    await runChecks();
    expect(await paymentOf(id)).toMatchObject({ status: 'expired' });
    expect(await eventsOf(id)).toEqual(['payment_overdue', 'payment_expired']);
  });

  test('it can be cancelled', async () => {
    const id = await createDue();
    await checkOn('2026-12-11');
    expect((await client.post(`/v1/payments/${id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  });
});

describe('lists', () => {
  test('go by due date and by overdue', async () => {
    const [late, early, latest] = [
      await createDue({ due: { date: '2026-12-20' } }),
      await createDue({ due: { date: '2026-12-03' } }),
      await createDue({ due: { date: '2027-03-01' } }),
    ];
    await client.post('/v1/payments', { amount: 1 });
    const idsOf = async (parameters: string) => {
      const { body } = await client.get(`/v1/payments?${parameters}`);
      return (body.data as { id: string }[]).map(({ id }) => id);
    };
    expect(await idsOf('sort=due&order=asc')).toEqual([early, late, latest]);
    expect(await idsOf('sort=due')).toEqual([latest, late, early]);
    expect(await idsOf('sort=due&dueFrom=2026-12-04&dueTo=2026-12-31')).toEqual([late]);
    expect((await idsOf('dueTo=2026-12-20')).toSorted()).toEqual([early, late].toSorted());
    const { body } = await client.get('/v1/payments?sort=due&order=asc&limit=1');
    const { nextCursor } = body as { nextCursor: string };
    expect(await idsOf(`sort=due&order=asc&limit=1&cursor=${nextCursor}`)).toEqual([late]);
    await checkOn('2026-12-04');
    expect(await idsOf('overdue=true')).toEqual([early]);
    expect(await idsOf('sort=due&order=asc&overdue=true')).toEqual([early]);
    expect(await idsOf('sort=due&order=asc&status=pending&overdue=false')).toEqual([late, latest]);
    const { body: told } = await client.graphql(
      `{ overdue: payments(filter: { overdue: true }) { edges { node { id } } }
        between: payments(filter: { dueFrom: "2026-12-04", dueTo: "2026-12-31" }) { edges { node { id } } } }`,
    );
    expect(told.data).toEqual({
      overdue: { edges: [{ node: { id: early } }] },
      between: { edges: [{ node: { id: late } }] },
    });
  });
});
