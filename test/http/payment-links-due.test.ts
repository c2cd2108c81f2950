import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey } from '../support/factories.ts';
import { newAttempt, refusedForm, sendLinkForm } from '../support/link-form.ts';
import { insertCredential } from '../support/routing.ts';

let databaseUrl: string;
let app: TestApp;
let organizationId: string;
let client: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp(
    { DATABASE_URL: databaseUrl, ROLE: 'api', TRUST_PROXY: '1' },
    // 22:30 of December 1 in São Paulo.
    { now: () => new Date('2026-12-02T01:30:00Z') },
  );
  const key = await createKey(app.services);
  ({ organizationId } = key);
  client = createClient(app.baseUrl, key.key);
});

afterAll(() => app.stop());

interface Link {
  id: string;
  url: string;
}

const terms = {
  dueInDays: 9,
  payableDaysAfter: 10,
  fine: { percent: 2 },
  interest: { percentPerMonth: 1 },
  discounts: [
    { daysBefore: 5, amount: 10 },
    { daysBefore: 1, amount: 4 },
  ],
  rebate: { amount: 5 },
};

const payer = { name: 'João Souza', document: '529.982.247-25' };

async function create(input: object): Promise<Link> {
  const { status, body } = await client.post('/v1/payment-links', input);
  expect(status).toBe(201);
  return body as Link;
}

const addressOf = ({ url }: Link): string => app.baseUrl + new URL(url).pathname;

async function open(link: Link): Promise<string> {
  const page = await (await fetch(addressOf(link))).text();
  return page.replaceAll('\u00a0', ' ');
}

async function start(link: Link, form: Record<string, string> = {}) {
  const response = await sendLinkForm(addressOf(link), { attempt: newAttempt(), ...form });
  return { status: response.status, refused: await refusedForm(addressOf(link), response) };
}

const paymentsOf = async ({ id }: Link) => (await client.get(`/v1/payment-links/${id}/payments`)).body.data;

describe('a payment link with a due date', () => {
  const refusals: [object, string][] = [
    [{ dueInDays: -1 }, 'dueInDays must be a whole number from 0 to 3650'],
    [{ dueInDays: 3651 }, 'dueInDays must be a whole number from 0 to 3650'],
    [{ dueInDays: 5, expirationMinutes: 60 }, 'body has unknown members: expirationMinutes'],
    [{ dueInDays: 5, due: { date: '2030-01-02' } }, 'body has unknown members: due'],
    [{ fine: { percent: 2 } }, 'fine must be left out without dueInDays'],
    [{ payableDaysAfter: 3 }, 'payableDaysAfter must be left out without dueInDays'],
    [{ dueInDays: 5, payableDaysAfter: 366 }, 'payableDaysAfter must be a whole number from 0 to 365'],
    [{ dueInDays: 5, fine: { percent: 2, amount: 1 } }, 'fine must have exactly one of percent, amount'],
    [
      { dueInDays: 5, discounts: [{ until: '2030-01-02', amount: 1 }] },
      'discounts.0.daysBefore must be a whole number from 0 to 3650; discounts.0 has unknown members: until',
    ],
    [
      { dueInDays: 5, discounts: [{ daysBefore: 6, amount: 1 }] },
      'discounts.0.daysBefore must be at most dueInDays',
    ],
    [
      {
        dueInDays: 5,
        discounts: [
          { daysBefore: 2, amount: 1 },
          { daysBefore: 2, amount: 2 },
        ],
      },
      'discounts.1.amount must be less than the discount before it; discounts.1.daysBefore must be less than that of the discount before it',
    ],
    [
      {
        dueInDays: 5,
        discounts: [
          { daysBefore: 2, amount: 2 },
          { daysBefore: 1, percent: 1 },
        ],
      },
      'discounts.1.percent must not be mixed: give all discounts as percent, or all as amount',
    ],
    [
      { dueInDays: 5, discounts: [{ daysBefore: 2, amount: 2 }], earlyDiscount: { amountPerDay: 1 } },
      'earlyDiscount must be left out when discounts are given',
    ],
    [
      { dueInDays: 5, rebate: { amount: 99 }, discounts: [{ daysBefore: 0, amount: 1 }] },
      'amount must leave at least 0.01 to pay after rebate and discount',
    ],
  ];

  test.each(refusals)('%j is refused by field and rule', async (input, message) => {
    const refused = await client.post('/v1/payment-links', { amount: 100, ...input });
    expectError(refused, 400, 'BadRequest');
    expect(refused.body.message).toBe(message);
  });

  test('is refused over GraphQL by the same words', async () => {
    const query = 'mutation ($input: CreatePaymentLinkInput!) { createPaymentLink(input: $input) { id } }';
    const input = { amount: 100, dueInDays: 5, discounts: [{ daysBefore: 6, amount: 1 }] };
    const { body } = await client.post('/graphql', { query, variables: { input } });
    expect(body.errors).toMatchObject([{ message: 'discounts.0.daysBefore must be at most dueInDays' }]);
  });

  test('needs a least amount where the payer chooses and a rebate would leave nothing', async () => {
    const input = { dueInDays: 5, rebate: { amount: 5 } };
    const refused = await client.post('/v1/payment-links', input);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'minimumAmount must leave at least 0.01 to pay after rebate and discount' },
    });
    await create({ ...input, minimumAmount: 5.01 });
  });

  test('is refused where no credential takes its terms', async () => {
    const { id: credentialId } = await insertCredential(databaseUrl, organizationId, {
      provider: 'mercadopago',
    });
    const refused = await client.post('/v1/payment-links', { amount: 100, dueInDays: 5, credentialId });
    expect(refused).toMatchObject({ status: 400, body: { message: 'mercadopago does not take due' } });
  });

  test('is refused where the provider demands an address, which the page does not ask for', async () => {
    const { id: credentialId } = await insertCredential(databaseUrl, organizationId, { provider: 'woovi' });
    const refused = await client.post('/v1/payment-links', { amount: 100, dueInDays: 5, credentialId });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('address') } });
    expect(refused.headers.get('X-Error-Code')).toBe('payer_data_missing');
  });

  test('has the same terms over both transports, with nulls for none', async () => {
    const link = await create({ amount: 100, ...terms });
    const read = await client.get(`/v1/payment-links/${link.id}`);
    expect(read.body).toMatchObject({ ...terms, interest: { percentPerMonth: 1, businessDays: false } });
    const fields = `dueInDays payableDaysAfter fine { percent } interest { percentPerMonth businessDays }
      discounts { daysBefore amount } rebate { amount }`;
    const { body } = await client.graphql(`{ paymentLink(id: "${link.id}") { ${fields} } }`);
    const { dueInDays, payableDaysAfter, fine, interest, discounts, rebate } = read.body;
    expect(body.data.paymentLink).toEqual({
      dueInDays,
      payableDaysAfter,
      fine,
      interest,
      discounts,
      rebate,
    });
    const made = await client.post('/graphql', {
      query: `mutation ($input: CreatePaymentLinkInput!) { createPaymentLink(input: $input) { ${fields} } }`,
      variables: {
        input: { amount: 100, ...terms, earlyDiscount: null, fine: { percent: 2, amount: null } },
      },
    });
    expect(made.body.data.createPaymentLink).toEqual(body.data.paymentLink);
    const plain = (await client.get(`/v1/payment-links/${(await create({ amount: 1 })).id}`)).body;
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['dueInDays']));
  });

  test('says what is owed today and asks who pays, whom it needs', async () => {
    const link = await create({ amount: 100, ...terms });
    const page = await open(link);
    expect(page).toContain('R$ 85,00');
    expect(page).toContain('Vencimento: 10/12/2026');
    expect(page).toContain('Até 07/12/2026: R$ 85,00 · depois: R$ 91,00');
    expect(page).toMatch(/name="name"[^]*name="document"/);
    const { refused } = await start(link, { name: 'João Souza' });
    expect(refused).toContain('Informe um CPF ou CNPJ válido.');
    expect(refused).toContain('value="João Souza"');
    expect(await paymentsOf(link)).toEqual([]);
  });

  test('makes payments that are due so many days after the day in São Paulo', async () => {
    const link = await create({ amount: 100, ...terms });
    expect((await start(link, payer)).status).toBe(303);
    expect(await paymentsOf(link)).toMatchObject([
      {
        amount: 100,
        payerName: payer.name,
        due: {
          date: '2026-12-10',
          payableDaysAfter: 10,
          fine: { percent: 2 },
          discounts: [
            { until: '2026-12-05', amount: 10 },
            { until: '2026-12-09', amount: 4 },
          ],
          rebate: { amount: 5 },
          lastPayableOn: '2026-12-21',
        },
      },
    ]);
  });

  test('asks for the amount too where the payer chooses it', async () => {
    const link = await create({ minimumAmount: 10, dueInDays: 0, earlyDiscount: { percentPerDay: 1 } });
    const page = await open(link);
    expect(page).toContain('Vencimento: 01/12/2026');
    expect(page).not.toContain('R$ 0,00');
    expect((await start(link, { ...payer, amount: '25,50' })).status).toBe(303);
    expect(await paymentsOf(link)).toMatchObject([{ amount: 25.5, due: { date: '2026-12-01' } }]);
  });

  test('gives everybody the same pending payment if it is for one, for as long as that can be paid', async () => {
    const link = await create({ amount: 100, dueInDays: 3, singleUse: true });
    await start(link, payer);
    await start(link, { name: 'Maria Lima', document: '123.456.789-09' });
    expect(await paymentsOf(link)).toMatchObject([{ payerName: payer.name }]);
  });

  test('goes by the clock of test mode', async () => {
    const key = await createKey(app.services);
    const other = createClient(app.baseUrl, key.key);
    expect((await other.post('/v1/sandbox/clock', { advance: 'P30D' })).status).toBe(200);
    const link = (await other.post('/v1/payment-links', { amount: 100, dueInDays: 2 })).body as Link;
    expect(await open(link)).toContain('Vencimento: 02/01/2027, prorrogado para 04/01/2027');
    expect((await start(link, payer)).status).toBe(303);
    const { body } = await other.get(`/v1/payment-links/${link.id}/payments`);
    expect(body.data).toMatchObject([{ due: { date: '2027-01-02' } }]);
  });
});
