import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { windowOfDay } from '../../../src/core/books/rules/import-schedule.ts';
import { type BooksApp, startBooksApp } from '../../support/books.ts';

const minuteMs = 60_000;

let books: BooksApp;

beforeAll(async () => {
  books = await startBooksApp();
});

afterAll(() => books.stop());

test('a Pix that the bank lists minutes after midnight only is not missing', async () => {
  const { createPaid, day, closeDay, book } = await books.open();
  const { charge } = await createPaid();
  const [pix] = charge.pix;
  if (pix) pix.listedAt = new Date(windowOfDay(day).until.getTime() + 45 * minuteMs);
  await closeDay();
  expect(await book()).toMatchObject({ state: 'closed', pixCount: 1, ownPixCount: 1 });
});

test('an import that comes late, as after an outage, waits for look-ups no less', async () => {
  const { createPayment, emulator, book, pass, importDue } = await books.open();
  await createPayment();
  const [charge] = emulator.ledger.charges;
  if (charge) emulator.ledger.pay(charge);
  emulator.faults.add({ kind: 'error', operation: 'find', times: 100 });
  pass(33 * 60 * minuteMs);
  await books.app.services.statementImport.plan();
  await importDue();
  expect(await book()).toMatchObject({ state: 'open', importedAt: null, problem: null, differences: [] });
  emulator.faults.clear();
  pass(60 * minuteMs);
  await importDue();
  expect(await book()).toMatchObject({ state: 'closed', pixCount: 1, ownPixCount: 1 });
});

test('a charge that cannot be looked up is waited for, and a difference only if that does not help', async () => {
  const { createPayment, emulator, closeDay, book, pass, importDue } = await books.open();
  const id = await createPayment();
  const [charge] = emulator.ledger.charges;
  if (charge) emulator.ledger.pay(charge);
  emulator.faults.add({ kind: 'error', operation: 'find', times: 100 });
  await closeDay();
  expect(await book()).toMatchObject({ state: 'open', importedAt: null, problem: null, differences: [] });
  for (const hours of [3, 4]) {
    pass(hours * 60 * minuteMs);
    await importDue();
  }
  expect(await book()).toMatchObject({ differences: [{ kind: 'unmatched_pix', paymentId: id }] });
  emulator.faults.clear();
  pass(24 * 60 * minuteMs);
  await importDue();
  expect(await book()).toMatchObject({ state: 'closed', pixCount: 1, ownPixCount: 1 });
});
