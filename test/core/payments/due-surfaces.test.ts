import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { openSession } from '../../support/people.ts';

let clock = new Date('2026-12-08T15:00:00Z');
let app: TestApp;
let owner: Awaited<ReturnType<typeof openSession>>;
let person: Client;
let client: Client;
let id: string;
let linkId: string;

const fromTo = 'from: "2026-12-01T03:00:00Z", to: "2026-12-31T03:00:00Z"';

/** 100.00, due on the 10th with a fine of 2 %, paid on the 15th with 102.00, of which 2.00 went back. */
beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock });
  owner = await openSession(app, { mode: 'test' });
  person = owner.client;
  const { organizationId } = owner;
  client = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
  const payer = { name: 'Fulano de Tal', document: '529.982.247-25' };
  const due = { date: '2026-12-10', fine: { percent: 2 } };
  const created = await client.post('/v1/payments', { amount: 100, payer, due, externalId: 'invoice-7' });
  id = created.body.id as string;
  linkId = (await client.post('/v1/payment-links', { amount: 100 })).body.id as string;
  await query(app.databaseUrl, 'INSERT INTO payment_link_payment (link_id, payment_id) VALUES ($1, $2)', [
    linkId,
    id,
  ]);
  clock = new Date('2026-12-15T15:00:00Z');
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  await client.post(`/v1/payments/${id}/refunds`, { amount: 2 });
  clock = new Date('2026-12-15T16:00:00Z');
  for (let round = 0; round < 3; round++) {
    await app.services.paymentRollUp.advance(1_000);
    await app.services.receiptRollUp.advance(1_000);
  }
});

afterAll(() => app.stop());

const graphql = async (text: string) => {
  const { body } = await person.graphql(text);
  if (body.errors) throw new Error(body.errors[0].message);
  return body.data;
};

const paid = {
  amount: 100,
  amountPaid: 102,
  amountParts: { original: 100, rebate: 0, discount: 0, fine: 2, interest: 0 },
};

/** Each surface that shows money, as what it says of this payment. */
const surfaces: Record<string, [says: () => Promise<unknown>, expected: unknown]> = {
  'the payment over REST': [
    async () => (await client.get(`/v1/payments/${id}`)).body,
    { ...paid, amountRefunded: 2 },
  ],
  'the list over REST': [
    async () => (await client.get('/v1/payments?externalId=invoice-7')).body.data[0],
    { ...paid, amountRefunded: 2 },
  ],
  'the search': [
    async () => (await client.get('/v1/payments?search=invoice-7')).body.data[0],
    { ...paid, amountRefunded: 2 },
  ],
  'the payment over GraphQL': [
    async () =>
      (
        await graphql(
          `{ payment(id: "${id}") { amount amountPaid amountRefunded amountParts { original rebate discount fine interest } } }`,
        )
      ).payment,
    { ...paid, amountRefunded: 2 },
  ],
  'the event of the payment': [
    async () =>
      (await client.get('/v1/events')).body.data.find(
        ({ type }: { type: string }) => type === 'payment_completed',
      ).data,
    paid,
  ],
  'the Pix that came': [
    async () =>
      (await graphql(`{ paymentDetail(id: "${id}") { receivedPix { amount } amountDiffers } }`))
        .paymentDetail,
    { receivedPix: [{ amount: 102 }], amountDiffers: false },
  ],
  'the statistics': [
    async () => (await graphql(`{ statistics(${fromTo}) { completed volume } }`)).statistics,
    { completed: 1, volume: 102 },
  ],
  'the money received': [
    async () =>
      (
        await graphql(
          '{ receipts(from: "2026-12-15", to: "2026-12-15") { total { pixCount gross refunded } } }',
        )
      ).receipts.total,
    { pixCount: 1, gross: 102, refunded: 2 },
  ],
  'the totals of its link': [
    async () =>
      (await graphql(`{ paymentLink(id: "${linkId}") { totals { paid amountPaid } } }`)).paymentLink.totals,
    { paid: 1, amountPaid: 102 },
  ],
  // Documented: filters, search and totals go by what was asked for.
  'the totals of a list': [
    async () => (await graphql('{ paymentTotals { count amount } }')).paymentTotals,
    { count: 1, amount: 100 },
  ],
};

test.each(Object.entries(surfaces))('%s says what was paid', async (_name, [says, expected]) => {
  expect(await says()).toMatchObject(expected as object);
});

test('a file of payments has both amounts, and the net of what was paid', async () => {
  const parameters = new URLSearchParams({
    organization: owner.organizationId,
    mode: 'test',
    locale: 'en',
  });
  const response = await fetch(`${app.baseUrl}/dashboard/payments.csv?${parameters.toString()}`, {
    headers: { Cookie: owner.cookie, 'Sec-Fetch-Site': 'none' },
  });
  const [names = '', values = ''] = (await response.text()).trim().split(/\r?\n/);
  const separator = names.includes(';') ? ';' : ',';
  const cells = values.split(separator);
  const cell = (name: string) => Number(cells[names.split(separator).indexOf(name)]?.replace(',', '.'));
  expect(names).toContain('Amount paid');
  expect(['Amount', 'Amount paid', 'Net'].map((name) => cell(`${name} (BRL)`))).toEqual([100, 102, 100]);
});

test('what is left to refund is of what was paid', async () => {
  expect(await client.post(`/v1/payments/${id}/refunds`, { amount: 100.01 })).toMatchObject({ status: 400 });
});

test('the books agree with the statement', async () => {
  const { organizationId } = owner;
  await app.services.books.fetch(operatorFor(organizationId, 'test'), { date: brasiliaDay(clock) });
  await app.services.reconciliation.statement_day(10);
  const { books, differences } = await graphql(
    '{ books(to: null) { edges { node { received refunded } } } differences { edges { cursor } } }',
  );
  expect(books.edges).toMatchObject([{ node: { received: 102, refunded: 2 } }]);
  expect(differences.edges).toEqual([]);
});
