import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { cents } from '../../../src/core/base/money.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { createBookWatch } from '../../../src/core/books/book-watch.ts';
import type { DifferenceView } from '../../../src/core/books/book-views.ts';
import { type BooksApp, returnAtBank, startBooksApp, type TestBooks } from '../../support/books.ts';
import { pix } from '../../support/command-line.ts';
import { query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAt } from '../../support/payment-checks.ts';
import { createPerson } from '../../support/people.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let service: BooksApp;
let db: Database;

beforeAll(async () => {
  service = await startBooksApp();
  db = openDatabase(service.app.databaseUrl, { maximumConnections: 1 });
});

afterAll(async () => {
  await db.$disconnect();
  await service.stop();
});

async function personOf({ organizationId }: TestBooks, role: 'owner' | 'support'): Promise<PersonCaller> {
  const { userId } = await createPerson(service.app, { organizationId, role });
  return {
    kind: 'person',
    userId,
    sessionId: '',
    mustChangePassword: false,
    role,
    organizationId,
    mode: 'live',
  };
}

const settle = (books: TestBooks, input: object) =>
  service.app.services.differences.settle(operatorFor(books.organizationId), input);

const onlyDifference = async (books: TestBooks): Promise<DifferenceView> => {
  const { differences } = await books.book();
  expect(differences).toHaveLength(1);
  return differences[0] as DifferenceView;
};

test('a settled difference no longer keeps its day open, also after the next import, and is in the audit log', async () => {
  const books = await service.open();
  books.receiveElsewhere();
  await books.closeDay();
  const { id, endToEndId } = await onlyDifference(books);
  const owner = await personOf(books, 'owner');
  books.pass(1_000);
  const input = { id, resolution: 'explained', reason: ' rent of the partner ' };
  const settled = await service.app.services.differences.settle(owner, input);
  const settlement = {
    resolution: 'explained',
    reason: 'rent of the partner',
    paymentId: null,
    settledBy: expect.stringMatching(/@example\.com$/),
    settledAt: books.now(),
  };
  expect(settled).toMatchObject({ id, state: 'settled', settlement });
  for (const _ of ['at once', 'after an import']) {
    expect(await books.book()).toMatchObject({
      state: 'closed',
      openDifferences: 0,
      settledDifferences: 1,
      differences: [{ id, state: 'settled', settlement }],
    });
    await books.importAgain();
  }
  const { data } = await service.app.services.audit.list(owner, { limit: 1, cursor: undefined });
  expect(data).toMatchObject([
    {
      action: 'book_difference.settle',
      userId: owner.userId,
      subject: id,
      details: {
        mode: 'live',
        kind: 'unmatched_pix',
        endToEndId,
        amountInCents: 777,
        resolution: 'explained',
        reason: 'rent of the partner',
      },
    },
  ]);
});

test('a settled difference is open again when the bank changes what is left, or its amount', async () => {
  const books = await service.open();
  const charge = books.receiveElsewhere();
  await books.closeDay();
  const { id } = await onlyDifference(books);
  await settle(books, { id, resolution: 'explained', reason: 'a gift' });
  returnAtBank(charge, 300, 'MED_FRAUDE');
  await books.importAgain();
  expect(await books.book()).toMatchObject({
    state: 'open',
    differences: [{ id, state: 'open', settlement: null, returned: 3 }],
  });
  await settle(books, { id, resolution: 'explained', reason: 'what the bank left of it' });
  expect(await books.book()).toMatchObject({ state: 'closed' });
  Object.assign(charge.pix[0] ?? {}, { amountInCents: cents(778) });
  await books.importAgain();
  expect(await books.book()).toMatchObject({ state: 'open', openDifferences: 1, settledDifferences: 0 });
});

test('a settlement can be withdrawn, and the next import keeps that', async () => {
  const books = await service.open();
  books.receiveElsewhere();
  await books.closeDay();
  const { id } = await onlyDifference(books);
  const operator = operatorFor(books.organizationId);
  const reopen = () => service.app.services.differences.reopen(operator, { id, reason: 'a mistake' });
  await expect(reopen()).rejects.toMatchObject({ code: 'difference_open' });
  await settle(books, { id, resolution: 'explained', reason: 'a gift' });
  await expect(settle(books, { id, resolution: 'explained', reason: 'again' })).rejects.toMatchObject({
    code: 'difference_settled',
  });
  books.pass(1_000);
  expect(await reopen()).toMatchObject({ state: 'open', settlement: null });
  for (const _ of ['at once', 'after an import']) {
    expect(await books.book()).toMatchObject({ state: 'open', openDifferences: 1, settledDifferences: 0 });
    await books.importAgain();
  }
  const { data } = await service.app.services.audit.list(operator, { limit: 1, cursor: undefined });
  expect(data).toMatchObject([{ action: 'book_difference.reopen', details: { reason: 'a mistake' } }]);
});

test('the command line settles and reopens', async () => {
  const books = await service.open();
  books.receiveElsewhere();
  await books.closeDay();
  const { id } = await onlyDifference(books);
  const run = async (...args: string[]) => {
    const { organizationId } = books;
    const env = { DATABASE_URL: service.app.databaseUrl };
    const { stdout } = await pix(['books', ...args, '--org', organizationId, '--id', id, '--json'], env);
    return JSON.parse(stdout) as DifferenceView;
  };
  expect(await run('settle', '--reason', 'rent')).toMatchObject({
    state: 'settled',
    settlement: { resolution: 'explained', reason: 'rent', settledBy: 'operator' },
  });
  expect(await run('reopen', '--reason', 'an order')).toMatchObject({ state: 'open' });
  const paymentId = await books.createPayment(7.77);
  expect(
    await run('settle', '--resolution', 'assigned', '--payment', paymentId, '--reason', 'paid the key'),
  ).toMatchObject({ settlement: { resolution: 'assigned', paymentId } });
});

test('several are settled for one reason, each audited, and one that is refused leaves the others settled', async () => {
  const books = await service.open();
  for (const _ of [1, 2, 3]) books.receiveElsewhere();
  await books.closeDay();
  const { organizationId } = books;
  const { services, databaseUrl } = service.app;
  const ids = (await books.book()).differences.map(({ id }) => id);
  const [first = '', second = '', third = ''] = ids;
  await settle(books, { id: second, resolution: 'explained', reason: 'a gift' });
  const strange = randomUUID();
  const owner = await personOf(books, 'owner');
  const input = { ids: [...ids, strange, first], resolution: 'given_back', reason: 'in the app of the bank' };
  const done = { resolution: 'given_back', reason: 'in the app of the bank' };
  expect(await services.differences.settleTogether(owner, input)).toMatchObject([
    { id: first, code: null, difference: { state: 'settled', settlement: done } },
    { id: second, code: 'difference_settled', difference: null },
    { id: third, code: null, difference: { state: 'settled', settlement: done } },
    { id: strange, code: 'difference_not_found', difference: null },
  ]);
  expect(await books.book()).toMatchObject({ state: 'closed', settledDifferences: 3 });
  const { data } = await services.audit.list(owner, { limit: 20, cursor: undefined });
  const entries = data.filter(({ userId }) => userId === owner.userId);
  expect(new Set(entries.map(({ subject }) => subject))).toEqual(new Set([first, third]));
  expect(entries).toHaveLength(2);
  for (const entry of entries)
    expect(entry).toMatchObject({ action: 'book_difference.settle', details: done });
  await expect(
    services.differences.settleTogether(await personOf(books, 'support'), input),
  ).rejects.toMatchObject({ code: 'permission_denied' });
  const refusals: [object, string][] = [
    [{ ids: [] }, 'ids must be a list of 1 to 100 ids'],
    [{ ids: Array.from({ length: 101 }, () => randomUUID()) }, 'ids must be a list of 1 to 100 ids'],
    [{ resolution: 'assigned' }, 'resolution must be one of explained, given_back'],
  ];
  for (const [wrong, message] of refusals) {
    await expect(services.differences.settleTogether(owner, { ...input, ...wrong })).rejects.toThrow(message);
  }
  const env = { DATABASE_URL: databaseUrl };
  const args = [
    'books',
    'settle',
    '--org',
    organizationId,
    '--id',
    first,
    second,
    '--reason',
    'again',
    '--json',
  ];
  expect(JSON.parse((await pix(args, env)).stdout)).toMatchObject([
    { id: first, code: 'difference_settled' },
    { id: second, code: 'difference_settled' },
  ]);
});

test('money assigned to a payment explains it on both sides, and completes nothing', async () => {
  const books = await service.open();
  const paymentId = await books.createPayment(7.77);
  const charge = books.receiveElsewhere();
  await books.closeDay();
  const { id } = await onlyDifference(books);
  const owner = await personOf(books, 'owner');
  await settle(books, { id, resolution: 'assigned', paymentId, reason: 'paid the key instead of the code' });
  expect(await onlyDifference(books)).toMatchObject({ settlement: { resolution: 'assigned', paymentId } });
  const assignedPix = async () => {
    const caller = { ...owner, mode: 'live' } as const;
    return (await service.app.services.investigation.detail(caller, paymentId)).assignedPix;
  };
  const endToEndId = charge.pix[0]?.endToEndId;
  const assigned = { endToEndId, amount: 7.77, returned: 0, reason: 'paid the key instead of the code' };
  expect(await assignedPix()).toMatchObject([
    { ...assigned, settledBy: 'operator', receivedAt: charge.pix[0]?.paidAt },
  ]);
  expect((await books.client.get(`/v1/payments/${paymentId}`)).body).not.toHaveProperty('confirmedAt');
  // What becomes of the money can be seen at the payment, although nothing differs any more.
  returnAtBank(charge, 777, 'MED_FRAUDE');
  await books.importAgain();
  expect(await books.book()).toMatchObject({ state: 'closed', differences: [] });
  expect(await assignedPix()).toMatchObject([{ ...assigned, returned: 7.77 }]);
});

test('money that a list never shows as returned is settled as given back', async () => {
  const books = await service.open(['woovi', woovi]);
  books.receiveElsewhere();
  await books.closeDay();
  const { id, returned } = await onlyDifference(books);
  expect(returned).toBeNull();
  await settle(books, { id, resolution: 'given_back', reason: 'in the app of the provider' });
  await books.importAgain();
  expect(await books.book()).toMatchObject({ state: 'closed' });
});

test('a settlement made while the day is compared is kept', async () => {
  const books = await service.open();
  books.receiveElsewhere();
  books.receiveElsewhere();
  await books.closeDay();
  const [settled] = (await books.book()).differences;
  const { databaseUrl, services } = service.app;
  const dayOf = 'SELECT id FROM statement_day WHERE credential_id = $1';
  const [{ id: dayId } = { id: '' }] = await query<{ id: string }>(databaseUrl, dayOf, [books.credentialId]);
  const importNext = () => services.statementImport.importNext(dayId);
  // Reads the statement, so that comparing is what is left.
  expect(await importNext()).toBe(true);
  const isWaiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    // Does what the service does to settle it, and stops before the end.
    await client.query('BEGIN');
    await client.query('SELECT FROM statement_day WHERE credential_id = $1 FOR NO KEY UPDATE', [
      books.credentialId,
    ]);
    await client.query(
      `INSERT INTO book_settlement (credential_id, kind, reference, amount_in_cents, returned_in_cents, resolution,
         reason, settled_at)
       SELECT $2, kind, reference, amount_in_cents, returned_in_cents, 'explained', 'meanwhile', now()
       FROM book_difference WHERE id = $1`,
      [settled?.id, books.credentialId],
    );
    const importing = importNext();
    await eventually(async () => expect(await query(databaseUrl, isWaiting)).toHaveLength(1));
    await client.query('COMMIT');
    await importing;
  } finally {
    await client.end();
  }
  expect(await books.book()).toMatchObject({ state: 'open', openDifferences: 1, settledDifferences: 1 });
});

test('the metric counts what is open, by kind', async () => {
  const books = await service.open();
  const measured = async () => {
    const metrics = createMetrics();
    await createBookWatch({ db, metrics }).measure();
    const lines = (await metrics.text()).matchAll(/^pix_book_differences\{kind="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, kind, count]) => [kind, Number(count)]));
  };
  const { unmatched_pix: before = NaN, ...others } = await measured();
  books.receiveElsewhere();
  books.receiveElsewhere();
  await books.closeDay();
  const [first] = (await books.book()).differences;
  await settle(books, { id: first?.id, resolution: 'explained', reason: 'a gift' });
  expect(await measured()).toEqual({ unmatched_pix: before + 1, ...others });
  expect(Object.keys(others)).toContain('duplicate');
});

test('who may see the books may not settle them, and nobody those of another organization', async () => {
  const books = await service.open();
  books.receiveElsewhere();
  await books.closeDay();
  const { id } = await onlyDifference(books);
  const input = { id, resolution: 'explained', reason: 'a gift' };
  const support = await personOf(books, 'support');
  const { differences, books: reader } = service.app.services;
  expect(await reader.list(support, { from: books.day, to: books.day })).toHaveLength(1);
  await expect(differences.settle(support, input)).rejects.toMatchObject({ code: 'permission_denied' });
  const other = await service.open();
  const owner = await personOf(other, 'owner');
  await expect(differences.settle(owner, input)).rejects.toMatchObject({ code: 'difference_not_found' });
  const paymentId = await other.createPayment();
  const assigned = { id, resolution: 'assigned', paymentId, reason: 'x' };
  await expect(settle(books, assigned)).rejects.toMatchObject({ code: 'payment_not_found' });
});

test('a settlement that does not fit is refused with the field and the rule', async () => {
  const books = await service.open();
  const { charge } = await books.createPaid();
  books.emulator.ledger.remove(charge);
  await books.closeDay();
  const { id, resolutions } = await onlyDifference(books);
  expect(resolutions).toEqual(['explained']);
  const refusals: [object, string][] = [
    [{ resolution: 'given_back' }, 'resolution must not be given_back for missing_pix'],
    [{ resolution: 'forgotten' }, 'resolution must be one of explained, assigned, given_back'],
    [{ resolution: 'assigned' }, 'paymentId is required when resolution is assigned'],
    [{ paymentId: randomUUID() }, 'paymentId must be left out unless resolution is assigned'],
    [{ reason: ' ' }, 'reason must be 1 to 500 characters'],
    [{ reason: 'x'.repeat(501) }, 'reason must be 1 to 500 characters'],
  ];
  for (const [change, message] of refusals) {
    const input = { id, resolution: 'explained', reason: 'x', ...change };
    await expect(settle(books, input)).rejects.toThrow(message);
  }
  expect(await books.book()).toMatchObject({ state: 'open', openDifferences: 1 });
});

test('a late Pix is a difference until all of it has left again', async () => {
  const books = await service.open();
  const id = await books.createPayment();
  const charge = books.emulator.ledger.charges.at(-1) as EmulatedCharge;
  const { databaseUrl, services } = service.app;
  books.pass(32 * 60_000);
  // It is cancelled at the bank, and has ended here once no Pix can still arrive.
  for (const _ of ['cancelled', 'ended']) {
    await checkAt(databaseUrl, id, books.now());
    await services.reconciliation.payment(10);
    books.pass(60_000);
  }
  books.emulator.ledger.pay(charge);
  await books.closeDay();
  const late = { kind: 'late', paymentId: id, amount: 10 };
  expect(await books.book()).toMatchObject({ state: 'open', differences: [late] });
  const refund = async (amount: number) => {
    await books.client.post(`/v1/payments/${id}/refunds`, { amount });
    for (const each of charge.refunds) each.status = 'completed';
    books.pass(60_000);
    await services.reconciliation.refund(10);
    await books.importAgain();
  };
  await refund(4);
  expect(await books.book()).toMatchObject({ refunded: 4, ownReturned: 4, differences: [late] });
  await refund(5);
  expect(await books.book()).toMatchObject({ refunded: 9, ownReturned: 9, differences: [late] });
  returnAtBank(charge, 100);
  await books.importAgain();
  expect(await books.book()).toMatchObject({ state: 'closed', refunded: 10, differences: [] });
});

test('an item that cannot be read is a difference of its day, until it can be', async () => {
  const books = await service.open();
  const { charge } = await books.createPaid();
  await books.createPaid();
  const [pix] = charge.pix;
  Object.assign(pix ?? {}, { amountInCents: cents(-1) });
  await books.closeDay();
  const { id, ...difference } = await onlyDifference(books);
  // Not also a Pix that the bank does not list.
  expect(difference).toMatchObject({
    kind: 'unreadable',
    endToEndId: pix?.endToEndId,
    detail: 'unreadable: valor',
    unreadableMembers: ['valor'],
    amount: null,
    resolutions: ['explained'],
  });
  expect(await books.book()).toMatchObject({ state: 'open', problem: null, pixCount: 1, received: 10 });
  await settle(books, { id, resolution: 'explained', reason: 'seen in the app of the bank' });
  await books.importAgain();
  expect(await books.book()).toMatchObject({ state: 'closed', settledDifferences: 1 });
  Object.assign(pix ?? {}, { amountInCents: cents(1_000) });
  await books.importAgain();
  expect(await books.book()).toMatchObject({ state: 'closed', pixCount: 2, received: 20, differences: [] });
});

test.each<[string, DefinePsp]>([
  ['asaas', asaas],
  ['mercadopago', mercadopago],
])('at %s, too, the rest of a day is compared', async (provider, define) => {
  const books = await service.open([provider, define]);
  const { charge } = await books.createPaid();
  await books.createPaid();
  charge.details['status'] = 'held';
  const unmatched = books.receiveElsewhere();
  unmatched.reference = String(randomInt(1e10, 1e11));
  await books.closeDay();
  const { differences, ...day } = await books.book();
  expect(day).toMatchObject({ state: 'open', problem: null, pixCount: 2, received: 17.77 });
  // Not also a Pix that is not listed.
  expect(new Map(differences.map(({ kind, detail }) => [kind, detail]))).toEqual(
    new Map([
      ['unmatched_pix', null],
      ['unreadable', 'unreadable: status'],
    ]),
  );
  const { id } = differences.find(({ kind }) => kind === 'unreadable') as DifferenceView;
  await settle(books, { id, resolution: 'explained', reason: 'seen in the panel' });
  delete charge.details['status'];
  await books.importAgain();
  expect(await books.book()).toMatchObject({
    pixCount: 3,
    received: 27.77,
    differences: [{ kind: 'unmatched_pix' }],
  });
});

test('a page that mostly cannot be read makes the day unavailable', async () => {
  const books = await service.open();
  for (let index = 0; index < 11; index++) {
    Object.assign(books.receiveElsewhere().pix[0] ?? {}, { amountInCents: cents(-1) });
  }
  await books.closeDay();
  expect(await books.book()).toMatchObject({
    state: 'unavailable',
    problem: '11 items of a page of the statement are unreadable: valor',
    problemReason: { code: 'unreadable_items', itemCount: 11, members: ['valor'] },
    differences: [],
  });
});
