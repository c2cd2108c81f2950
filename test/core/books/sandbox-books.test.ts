import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { createBookWatch } from '../../../src/core/books/book-watch.ts';
import type { WholeBookDay } from '../../../src/core/books/books.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { type BooksApp, startBooksApp, type TestBooks } from '../../support/books.ts';
import { type Client, createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';

let service: BooksApp;
let books: TestBooks;
let client: Client;

beforeAll(async () => {
  service = await startBooksApp();
});

beforeEach(async () => {
  books = await service.open();
  const { organizationId } = books;
  const { key } = await createKey(service.app.services, { mode: 'test', organizationId });
  client = createClient(service.app.baseUrl, key);
});

afterAll(() => service.stop());

const tester = () => operatorFor(books.organizationId, 'test');
const importDays = () => service.app.services.reconciliation.statement_day(10);

async function fetchDay(date = books.day): Promise<void> {
  await service.app.services.books.fetch(tester(), { date });
  await importDays();
}

async function sandboxBook(): Promise<WholeBookDay> {
  const [found] = await service.app.services.books.list(tester(), { from: books.day, to: books.day });
  return found as WholeBookDay;
}

const simulate = async (id: string, what: string, body?: object) => {
  const { status } = await client.post(`/v1/sandbox/payments/${id}/${what}`, body);
  expect(status).toBe(200);
};

async function createTestPayment(amount: number, ...what: string[]): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount });
  for (const each of what) await simulate(body.id, each);
  return body.id;
}

const receive = async (amount: number): Promise<string> =>
  (await client.post('/v1/sandbox/pix', { amount })).body.endToEndId;

test('each mode has books of its own', async () => {
  await createTestPayment(5, 'pay');
  await books.createPaid();
  await books.closeDay();
  const agreed = { state: 'closed', pixCount: 1, ownPixCount: 1, differences: [] };
  expect(await books.book()).toMatchObject({ ...agreed, received: 10, credentialId: books.credentialId });
  expect(await sandboxBook()).toMatchObject({
    ...agreed,
    received: 5,
    ownReceived: 5,
    net: 5,
    provider: 'sandbox',
    credentialId: null,
  });
});

test('a sandbox that receives nothing has no days, and money without a payment is enough for one', async () => {
  await createTestPayment(5);
  await books.closeDay();
  expect(await sandboxBook()).toBeUndefined();
  expect(await service.app.services.statementImport.plan()).toBe(0);
  const received = await receive(7.77);
  books.pass(86_400_000);
  await service.app.services.statementImport.plan();
  await importDays();
  const { differences } = service.app.services;
  expect((await differences.list(tester(), {})).data).toMatchObject([{ endToEndId: received }]);
});

test('a day under way can be fetched, shows what differs, and closes after its end once that is settled', async () => {
  const simple = await createTestPayment(10, 'pay');
  await simulate(simple, 'reverse', { amount: 1, reason: 'returned_at_psp' });
  const refunded = await createTestPayment(20, 'pay');
  await client.post(`/v1/payments/${refunded}/refunds`, { amount: 3 });
  await simulate(refunded, 'reverse', { amount: 4 });
  const disputed = await createTestPayment(30, 'pay', 'dispute');
  await simulate(disputed, 'dispute/close', { outcome: 'lost' });
  await fetchDay();
  expect(await sandboxBook()).toMatchObject({
    state: 'open',
    received: 60,
    refunded: 4,
    reversed: 34,
    net: 22,
    ownReturned: 38,
    differences: [],
  });

  const doubled = await createTestPayment(40, 'pay', 'pay');
  const late = await createTestPayment(50, 'expire', 'pay');
  const open = await createTestPayment(7.77);
  const unmatched = await receive(7.77);
  await fetchDay();
  const { differences, ...day } = await sandboxBook();
  expect(day).toMatchObject({ state: 'open', openDifferences: 3, pixCount: 7, ownPixCount: 6, net: 159.77 });
  const named = new Map(differences.map((each) => [each.kind, each]));
  expect(named.get('unmatched_pix')).toMatchObject({
    credentialId: null,
    endToEndId: unmatched,
    amount: 7.77,
    paymentId: null,
  });
  expect(named.get('duplicate')).toMatchObject({ paymentId: doubled, amount: 40 });
  expect(named.get('late')).toMatchObject({ paymentId: late, amount: 50 });

  const idOf = (kind: 'unmatched_pix' | 'duplicate' | 'late') => named.get(kind)?.id ?? '';
  const settle = (input: object) =>
    service.app.services.differences.settle(tester(), { reason: 'tried', ...input });
  await settle({ id: idOf('unmatched_pix'), resolution: 'assigned', paymentId: open });
  await settle({ id: idOf('duplicate'), resolution: 'given_back' });
  await client.post(`/v1/payments/${late}/refunds`, {});
  await books.closeDay();
  expect(await sandboxBook()).toMatchObject({
    state: 'closed',
    openDifferences: 0,
    settledDifferences: 2,
    refunded: 54,
  });
  const { assignedPix } = await service.app.services.investigation.detail(tester(), open);
  expect(assignedPix).toMatchObject([{ credentialId: null, endToEndId: unmatched, amount: 7.77 }]);

  const range = { from: books.day, to: books.day };
  let csv = '';
  for await (const chunk of service.app.services.bookExport.csv(tester(), range)) csv += chunk;
  const amounts = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => Math.round(Number(line.split(',')[9]) * 100));
  expect(amounts.reduce((sum, each) => sum + each, 0)).toBe(Math.round((await sandboxBook()).net! * 100));
  expect(csv).toContain(`${books.day},,sandbox,received,`);
});

test('a day that closed is compared again when money of it leaves', async () => {
  const id = await createTestPayment(10, 'pay');
  await books.closeDay();
  await simulate(id, 'reverse', { amount: 4 });
  await books.importAgain();
  expect(await sandboxBook()).toMatchObject({ state: 'closed', reversed: 4, net: 6 });
});

test('the statement is read in pages, to its end', async () => {
  await query(
    service.app.databaseUrl,
    `INSERT INTO sandbox_key_pix (end_to_end_id, organization_id, amount_in_cents, paid_at)
     SELECT $1 || lpad(n::text, 4, '0'), $1::uuid, 100, $2::timestamptz + n / 700 * interval '1 ms'
     FROM generate_series(1, 1200) n`,
    [books.organizationId, books.now()],
  );
  await fetchDay();
  expect(await sandboxBook()).toMatchObject({ pixCount: 1_200, received: 1_200, openDifferences: 1_200 });
});

test('open differences of sandboxes alert nobody', async () => {
  await receive(7.77);
  await fetchDay();
  expect(await sandboxBook()).toMatchObject({ openDifferences: 1 });
  const db = openDatabase(service.app.databaseUrl, { maximumConnections: 1 });
  const metrics = createMetrics();
  const measured = async () => {
    await createBookWatch({ db, metrics }).measure();
    return /pix_book_differences\{kind="unmatched_pix"\} (\d+)/.exec(await metrics.text())?.[1];
  };
  const before = Number(await measured());
  books.receiveElsewhere();
  await books.closeDay();
  expect(await sandboxBook()).toMatchObject({ openDifferences: 1 });
  expect(Number(await measured())).toBe(before + 1);
  await db.$disconnect();
});

test.each([
  [() => ({ date: '2020-01-01' }), /^date must be today or one of the 90 days before today/],
  [
    () => ({ date: new Date(books.now().getTime() + 86_400_000).toISOString().slice(0, 10) }),
    /^date must be today or/,
  ],
])('a day that cannot be fetched is refused', async (input, message) => {
  await expect(service.app.services.books.fetch(tester(), input())).rejects.toThrow(message);
});

test('a live day is fetched only once it is over', async () => {
  const fetched = service.app.services.books.fetch(operatorFor(books.organizationId), { date: books.day });
  await expect(fetched).rejects.toThrow('date must be one of the 90 days before today, in Brasília');
});

test('a credential is refused, as the sandbox is the only account', async () => {
  const stranger = await service.open();
  for (const { credentialId } of [books, stranger]) {
    const list = service.app.services.books.list(tester(), { credentialId });
    await expect(list).rejects.toThrow('credentialId must be left out in test mode');
  }
});

test('a difference is settled in its own mode and organization, with a payment of that mode', async () => {
  await receive(7.77);
  await fetchDay();
  const [difference] = (await sandboxBook()).differences;
  const livePayment = await books.createPayment(7.77);
  const id = difference?.id ?? '';
  const { differences } = service.app.services;
  const input = { id, resolution: 'explained', reason: 'x' };
  const stranger = await service.open();
  for (const caller of [operatorFor(books.organizationId), operatorFor(stranger.organizationId, 'test')]) {
    await expect(differences.settle(caller, input)).rejects.toThrow(`Difference ${id} was not found`);
  }
  const assigned = { ...input, resolution: 'assigned', paymentId: livePayment };
  await expect(differences.settle(tester(), assigned)).rejects.toThrow(
    `Payment ${livePayment} was not found`,
  );
});

test('the command line has the books of either mode', async () => {
  await receive(7.77);
  const run = async (...args: string[]) => {
    const { stdout } = await pix(
      ['books', ...args, '--json', '--org', books.organizationId, '--mode', 'test'],
      {
        DATABASE_URL: service.app.databaseUrl,
      },
    );
    return JSON.parse(stdout) as Record<string, any>[];
  };
  await fetchDay();
  const [day] = await run('--day', books.day);
  expect(day).toMatchObject({ credentialId: null, received: 7.77 });
  const settled = await run('settle', '--id', day?.['differences'][0].id, '--reason', 'rent');
  expect(settled).toMatchObject({ state: 'settled' });
});
