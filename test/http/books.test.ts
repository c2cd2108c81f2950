import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { daysBefore, windowOfDay } from '../../src/core/books/rules/import-schedule.ts';
import type { Mode } from '../../src/core/base/mode.ts';
import { cents } from '../../src/core/base/money.ts';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { type BooksApp, startBooksApp, type TestBooks } from '../support/books.ts';
import { type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { openSession, personalClient } from '../support/people.ts';

let service: BooksApp;
let books: TestBooks;
let owner: Client;

beforeAll(async () => {
  service = await startBooksApp({ TRUST_PROXY: '1' });
  books = await service.open();
  const { organizationId } = books;
  owner = (await openSession(service.app, { organizationId, mode: 'live' })).client;
  await books.createPaid();
  for (let index = 0; index < 5; index++) books.receiveElsewhere(700 + index);
  await books.closeDay();
  books.pass(86_400_000);
  await service.app.services.statementImport.plan();
});

afterAll(() => service.stop());

/** Every item of a list, read in pages of `first`. */
async function readAll(client: Client, list: string, first: number, fields: string) {
  const items: Record<string, unknown>[] = [];
  let after: string | null = null;
  do {
    const { body } = await client.graphql(
      `query ($after: String) { ${list.replace(')', `, first: ${first}, after: $after)`)} {
        edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    expect(body.errors).toBeUndefined();
    const [page] = Object.values(body.data) as any[];
    expect(page.edges.length).toBeLessThanOrEqual(first);
    items.push(...page.edges.map(({ node }: { node: Record<string, unknown> }) => node));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return items;
}

test('days and differences are read in pages, each once and in order', async () => {
  const days = await readAll(owner, `books(from: "${books.day}")`, 1, 'date state openDifferences received');
  expect(days).toMatchObject([{ state: 'open' }, { date: books.day, openDifferences: 5, received: 45.1 }]);
  const fields = 'id kind state amount endToEndId';
  const whole = await readAll(owner, `differences(from: "${books.day}")`, 100, fields);
  expect(new Set(whole.map(({ amount }) => amount))).toEqual(new Set([7, 7.01, 7.02, 7.03, 7.04]));
  for (const first of [1, 2, 5]) {
    expect(await readAll(owner, `differences(from: "${books.day}")`, first, fields)).toEqual(whole);
  }
});

test('an owner settles a difference, and a refusal names the field and the rule', async () => {
  const [difference] = await readAll(owner, 'differences(state: open)', 1, 'id');
  const settle = (input: object) =>
    owner.graphql(
      'mutation ($input: SettleDifferenceInput!) { settleDifference(input: $input) { state settlement { reason settledBy } } }',
      { input: { id: difference?.['id'], resolution: 'explained', reason: 'a gift', ...input } },
    );
  const refusals: [object, string][] = [
    [{ reason: '' }, 'reason must be 1 to 500 characters'],
    [{ resolution: 'forgotten' }, 'resolution must be one of explained, assigned, given_back'],
    [{ resolution: 'assigned' }, 'paymentId is required when resolution is assigned'],
  ];
  for (const [input, message] of refusals) {
    const { body } = await settle(input);
    expect(body.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
  }
  const { body } = await settle({});
  expect(body.data.settleDifference).toMatchObject({ state: 'settled', settlement: { reason: 'a gift' } });
  const again = await settle({});
  expect(again.body.errors).toMatchObject([{ extensions: { reason: 'difference_settled' } }]);
  expect(await readAll(owner, 'differences(state: open)', 100, 'id')).toHaveLength(4);
  expect(await readAll(owner, 'differences(state: settled)', 100, 'id')).toEqual([difference]);
  const reopen = `mutation { reopenDifference(id: "${String(difference?.['id'])}", reason: "x") { state } }`;
  expect((await owner.graphql(reopen)).body.data).toEqual({ reopenDifference: { state: 'open' } });
});

test('differences are listed by kind, in pages as well', async () => {
  const own = await service.open();
  const { client } = await openSession(service.app, { organizationId: own.organizationId, mode: 'live' });
  const { charge } = await own.createPaid();
  own.emulator.ledger.remove(charge);
  for (let index = 0; index < 3; index++) own.receiveElsewhere(700 + index);
  await own.closeDay();
  const kinds = async (filter: string) =>
    (await readAll(client, `differences(${filter})`, 1, 'kind')).map(({ kind }) => kind);
  expect(await kinds('kind: missing_pix')).toEqual(['missing_pix']);
  expect(await kinds('kind: unmatched_pix')).toEqual(Array(3).fill('unmatched_pix'));
  expect(await kinds('kind: unmatched_pix, state: settled')).toEqual([]);
  expect(await kinds('kind: late')).toEqual([]);
  const [missing] = await readAll(client, 'differences(kind: missing_pix)', 1, 'id');
  const { body } = await client.graphql(
    'mutation ($input: SettleDifferencesInput!) { settleDifferences(input: $input) { id code message difference { state } } }',
    { input: { ids: [missing?.['id'], 'x'], resolution: 'explained', reason: 'the bank was asked' } },
  );
  expect(body.data.settleDifferences).toEqual([
    { id: missing?.['id'], code: null, message: null, difference: { state: 'settled' } },
    { id: 'x', code: 'difference_not_found', message: 'Difference x was not found', difference: null },
  ]);
});

test('in test mode they are those of the sandbox, without a credential', async () => {
  const { organizationId } = books;
  const { client } = await openSession(service.app, { organizationId, mode: 'test' });
  const { key } = await createKey(service.app.services, { mode: 'test', organizationId });
  await createClient(service.app.baseUrl, key).post('/v1/sandbox/pix', { amount: 7.77 });
  const date = brasiliaDay(books.now());
  await service.app.services.books.fetch(operatorFor(organizationId, 'test'), { date });
  await service.app.services.reconciliation.statement_day(10);
  const fields = 'date state received credentialId';
  expect(await readAll(client, 'books(to: null)', 1, fields)).toEqual([
    { date, state: 'open', received: 7.77, credentialId: null },
  ]);
  const found = await readAll(client, 'differences(state: open)', 1, 'id amount credentialId');
  expect(found).toMatchObject([{ amount: 7.77, credentialId: null }]);
  const count = (await client.graphql('{ openDifferences { count date credentialId } }')).body.data;
  expect(count).toEqual({ openDifferences: { count: 1, date, credentialId: null } });
  const settle = `mutation { settleDifference(input: { id: "${String(found[0]?.['id'])}", resolution: explained, reason: "x" }) { state } }`;
  expect((await owner.graphql(settle)).body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect((await client.graphql(settle)).body.data).toEqual({ settleDifference: { state: 'settled' } });
  const { body } = await client.graphql(
    `{ books(credentialId: "${books.credentialId}") { edges { cursor } } }`,
  );
  const message = 'credentialId must be left out in test mode: the sandbox is the only account';
  expect(body.errors).toMatchObject([{ message }]);
});

test.each([
  ['books(from: "2026-02-30")', 'from must be a date such as 2026-11-21'],
  ['books(from: "0000-01-01")', 'from must be in the years 2000 to 2999'],
  ['differences(to: "9999-12-31")', 'to must be in the years 2000 to 2999'],
  ['differences(from: "2026-03-01", to: "2026-02-01")', 'from must not be after to'],
  ['differences(from: "2024-01-01", to: "2026-02-01")', 'from must be at most 366 days before to'],
  ['differences(first: 101)', 'first must be a whole number from 1 to 100'],
  ['books(after: "nowhere")', 'after must come from an earlier page'],
  ['books(credentialId: "x")', 'Credential x was not found'],
])('%s is refused', async (list, message) => {
  const { body } = await owner.graphql(`{ ${list} { edges { cursor } } }`);
  expect(body.errors).toMatchObject([{ message }]);
});

test('why a day is unavailable is told as a text and as a code with its parameters', async () => {
  const other = await service.open();
  const { client } = await openSession(service.app, { organizationId: other.organizationId, mode: 'live' });
  for (let index = 0; index < 11; index++) {
    Object.assign(other.receiveElsewhere().pix[0] ?? {}, { amountInCents: cents(-1) });
  }
  await other.closeDay();
  const list = `books(from: "${other.day}", to: "${other.day}")`;
  const fields = 'state problem problemReason { code cause itemCount members }';
  const problem = '11 items of a page of the statement are unreadable: valor';
  const day = { state: 'unavailable', problem };
  const problemReason = { code: 'unreadable_items', cause: null, itemCount: 11, members: ['valor'] };
  expect(await readAll(client, list, 1, fields)).toEqual([{ ...day, problemReason }]);
  // Older nodes store none, newer ones perhaps another.
  for (const stored of [null, '{"code": "of_tomorrow"}']) {
    await query(
      service.app.databaseUrl,
      'UPDATE statement_day SET problem_reason = $1 WHERE credential_id = $2',
      [stored, other.credentialId],
    );
    expect(await readAll(client, list, 1, fields)).toEqual([{ ...day, problemReason: null }]);
  }
});

test('the open differences of all days are counted, and the oldest of these days is named', async () => {
  const own = await service.open();
  const { organizationId } = own;
  const { cookie } = await openSession(service.app, { organizationId });
  const open = async (mode: Mode = 'live') => {
    const client = personalClient(service.app, cookie, { organizationId, mode });
    const text = '{ openDifferences { count isAtLeast date credentialId } }';
    return (await client.graphql(text)).body.data.openDifferences;
  };
  expect(await open()).toBeNull();
  own.receiveElsewhere();
  own.receiveElsewhere();
  await own.closeDay();
  const { credentialId, day: date } = own;
  expect(await open()).toEqual({ count: 2, isAtLeast: false, date, credentialId });
  expect(await open('test')).toBeNull();
  await query(
    service.app.databaseUrl,
    `INSERT INTO statement_day (id, organization_id, provider, credential_id, day, difference_count)
     SELECT gen_random_uuid(), $1, 'bacen', $2, $3::date + n, 3 FROM generate_series(1, 100) n`,
    [organizationId, credentialId, date],
  );
  expect(await open()).toEqual({ count: 2 + 99 * 3, isAtLeast: true, date, credentialId });
});

test('an owner has a day imported again, once however often it is asked for', async () => {
  const own = await service.open();
  const { client } = await openSession(service.app, { organizationId: own.organizationId, mode: 'live' });
  await own.createPaid();
  await own.closeDay();
  own.receiveElsewhere().pix.forEach((pix) => Object.assign(pix, { paidAt: windowOfDay(own.day).since }));
  const fetchBooks = async (input = `credentialId: "${own.credentialId}", date: "${own.day}"`) =>
    (await client.graphql(`mutation { fetchBooks(${input}) { date state importing pixCount } }`)).body;
  const due = [{ date: own.day, state: 'closed', importing: true, pixCount: 1 }];
  const asked = own.emulator.requests.length;
  for (const _ of ['asked', 'asked again']) expect((await fetchBooks()).data).toEqual({ fetchBooks: due });
  expect((await fetchBooks(`date: "${own.day}"`)).data).toEqual({ fetchBooks: due });
  await service.app.services.reconciliation.statement_day(10);
  expect(own.emulator.requests.slice(asked).filter(({ operation }) => operation === 'list')).toHaveLength(1);
  const list = `books(from: "${own.day}", to: "${own.day}")`;
  const [day] = await readAll(client, list, 1, 'state importing pixCount');
  expect(day).toEqual({ state: 'open', importing: false, pixCount: 2 });
  const log = '{ auditLog(first: 3) { edges { node { action subject details } } } }';
  const { edges } = (await client.graphql(log)).body.data.auditLog;
  const entries = edges.map(({ node }: any) => node).filter(({ action }: any) => action === 'books.fetch');
  expect(entries).toMatchObject([{ subject: own.credentialId, details: { date: own.day, mode: 'live' } }]);

  const rule = 'date must be one of the 90 days before today, in Brasília';
  const refusals: [string, string][] = [
    [`date: "${daysBefore(own.day, 90)}"`, rule],
    [`date: "${daysBefore(own.day, -1)}"`, rule],
    ['date: "yesterday"', 'date must be a date such as 2026-11-21'],
    [`date: "${own.day}", credentialId: "${randomUUID()}"`, 'Credential'],
    [
      `date: "${daysBefore(own.day, 1)}", credentialId: "${own.credentialId}"`,
      'date must be a day of the credential, which is disabled or was added later',
    ],
  ];
  for (const [input, message] of refusals) {
    expect((await fetchBooks(input)).errors).toMatchObject([{ message: expect.stringContaining(message) }]);
  }
});
