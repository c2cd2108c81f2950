import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { daysBefore, firstImport, windowOfDay } from '../../../src/core/books/rules/import-schedule.ts';
import { cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import type { WholeBookDay } from '../../../src/core/books/books.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { checkAt, endChecks } from '../../support/payment-checks.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { pagbank } from '../../support/psp-emulator/pagbank.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { type EmulatedCharge, returnedInCents } from '../../support/psp-emulator/ledger.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const hourMs = 3_600_000;
const payer = { name: 'Maria Silva', document: '12345678909', email: 'maria@example.com' };

let clock = new Date(windowOfDay(brasiliaDay(new Date())).since.getTime() + 12 * hourMs);
let databaseUrl: string;
let app: TestApp;
let other: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;
let day: string;

const pass = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};

async function create(): Promise<{ id: string; charge: EmulatedCharge }> {
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  return { id: String(body.id), charge: emulator.ledger.charges.at(-1) as EmulatedCharge };
}

async function createPaid() {
  const created = await create();
  await emulator.pay(created.charge.transactionId);
  await app.services.notifications.drain();
  return created;
}

/** Does what happens when somebody pays the key directly. */
function receiveElsewhere(reference?: string): EmulatedCharge {
  const transactionId = randomBytes(14).toString('hex');
  const expiresAt = new Date(clock.getTime() + hourMs);
  const charge = {
    transactionId,
    reference: reference ?? transactionId,
    amountInCents: cents(777),
    expiresAt,
  };
  const added = emulator.ledger.add(charge);
  emulator.ledger.pay(added);
  return added;
}

function takeBack({ refunds }: EmulatedCharge, endToEndId: string, amount: number, reason = 'MED_FRAUDE') {
  const refundId = randomBytes(16).toString('hex');
  const reference = `D${refundId.slice(1)}`;
  const amountInCents = cents(amount);
  const refund = { refundId, reference, endToEndId, amountInCents, status: 'completed', reason } as const;
  refunds.push({ ...refund, createdAt: clock });
}

const importDays = (node = app) => node.services.reconciliation.statement_day(10);

/** And so much later that its statement is due. */
async function endDay(): Promise<void> {
  clock = firstImport(day);
  await app.services.statementImport.plan();
}

async function book(): Promise<WholeBookDay> {
  const caller = operatorFor(live.organizationId);
  const [found] = await app.services.books.list(caller, { from: day, to: day });
  return found as WholeBookDay;
}

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  // They have no workers of their own: the tests run them.
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  app = await startTestApp(env, { now: () => clock });
  other = await startTestApp(env, { now: () => clock });
});

beforeEach(async () => {
  clock = new Date(windowOfDay(brasiliaDay(clock)).until.getTime() + 12 * hourMs);
  day = brasiliaDay(clock);
  live = await openLiveOrganization(app, () => clock, ['bacen', defineBacen()]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
});

afterEach(async () => {
  await live.stop();
  await endChecks(databaseUrl);
  await query(databaseUrl, 'UPDATE statement_day SET next_check_at = NULL');
  await query(databaseUrl, 'UPDATE credential SET enabled = false');
});

afterAll(() => Promise.all([app.stop(), other.stop()]));

test('every difference of a day is found and named, nothing else is, and the sums are those of the bank', async () => {
  await createPaid();
  const lost = await create();
  emulator.ledger.pay(lost.charge);
  const doubled = await createPaid();
  const second = await emulator.pay(doubled.charge.transactionId);
  const unmatched = receiveElsewhere();
  const returned = receiveElsewhere();
  takeBack(returned, returned.pix[0]?.endToEndId ?? '', 777, 'ORIGINAL');
  const otherAmount = await create();
  await emulator.pay(otherAmount.charge.transactionId, { amountInCents: cents(1_001) });
  const reversed = await createPaid();
  takeBack(reversed.charge, reversed.charge.pix[0]?.endToEndId ?? '', 400);
  const refunded = await createPaid();
  await live.client.post(`/v1/payments/${refunded.id}/refunds`, { amount: 3 });
  // Here it is still pending.
  for (const refund of refunded.charge.refunds) refund.status = 'completed';
  const removed = await createPaid();
  emulator.ledger.remove(removed.charge);
  const late = await create();
  pass(32 * 60_000);
  // It is cancelled at the bank, and has ended here once no Pix can still arrive.
  for (const _ of ['cancelled', 'ended']) {
    await checkAt(databaseUrl, late.id, clock);
    await app.services.reconciliation.payment(10);
    pass(60_000);
  }
  expect((await live.client.get(`/v1/payments/${late.id}`)).body).toMatchObject({ status: 'expired' });
  emulator.ledger.pay(late.charge);
  // Now it is the next day.
  clock = windowOfDay(day).until;
  receiveElsewhere();

  await endDay();
  expect(await importDays()).toBe(1);

  const { differences, ...sums } = await book();
  const endToEndIdOf = ({ pix }: EmulatedCharge) => pix[0]?.endToEndId;
  const named = differences.map(({ kind, endToEndId, paymentId, amount, ownAmount }) => [
    kind,
    endToEndId,
    paymentId,
    amount,
    ownAmount,
  ]);
  expect(new Set(named)).toEqual(
    new Set([
      ['unmatched_pix', endToEndIdOf(unmatched), null, 7.77, null],
      ['missing_pix', endToEndIdOf(removed.charge), removed.id, null, 10],
      ['amount_differs', endToEndIdOf(otherAmount.charge), otherAmount.id, 10.01, 10],
      ['late', endToEndIdOf(late.charge), late.id, 10, 10],
      ['duplicate', second.endToEndId, doubled.id, 10, 10],
    ]),
  );
  const charges = emulator.ledger.charges.filter(({ pix }) => pix[0] && brasiliaDay(pix[0].paidAt) === day);
  const received = charges
    .flatMap(({ pix }) => pix)
    .reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
  const left = charges.reduce((sum, charge) => sum + returnedInCents(charge), 0n);
  expect(sums).toMatchObject({
    state: 'open',
    pixCount: charges.flatMap(({ pix }) => pix).length,
    received: Number(received) / 100,
    refunded: 10.77,
    reversed: 4,
    net: Number(received - left) / 100,
  });
  // What could be looked up was recorded.
  expect((await live.client.get(`/v1/payments/${lost.id}`)).body).toMatchObject({ status: 'completed' });
  expect((await live.client.get(`/v1/payments/${reversed.id}`)).body).toMatchObject({ amountReversed: 4 });
});

test('a day that agrees is closed, and opens again when the bank changes it', async () => {
  await createPaid();
  await endDay();
  await importDays();
  expect(await book()).toMatchObject({
    state: 'closed',
    pixCount: 1,
    received: 10,
    ownReceived: 10,
    differences: [],
  });
  const unknown = receiveElsewhere();
  const [unknownPix] = unknown.pix;
  Object.assign(unknownPix ?? {}, { paidAt: new Date(windowOfDay(day).until.getTime() - 1) });
  expect(await importDays()).toBe(0);
  pass(6 * hourMs);
  expect(await importDays()).toBe(1);
  const opened = await book();
  expect(opened).toMatchObject({
    state: 'open',
    pixCount: 2,
    received: 17.77,
    differences: [{ kind: 'unmatched_pix' }],
  });
  pass(24 * hourMs);
  await importDays();
  expect((await book()).differences).toEqual(opened.differences);
  takeBack(unknown, unknownPix?.endToEndId ?? '', 777, 'ORIGINAL');
  pass(24 * hourMs);
  await importDays();
  expect(await book()).toMatchObject({
    state: 'closed',
    received: 17.77,
    refunded: 7.77,
    net: 10,
    differences: [],
  });
  emulator.ledger.remove(unknown);
  await app.services.books.fetch(operatorFor(live.organizationId), { date: day });
  await importDays();
  expect(await book()).toMatchObject({ state: 'closed', pixCount: 1, received: 10, refunded: 0 });
});

test('what the bank no longer says was returned is an unknown reversal', async () => {
  const { id, charge } = await createPaid();
  takeBack(charge, charge.pix[0]?.endToEndId ?? '', 400);
  await endDay();
  await importDays();
  expect(await book()).toMatchObject({ state: 'closed', reversed: 4 });
  charge.refunds.length = 0;
  pass(6 * hourMs);
  await importDays();
  expect(await book()).toMatchObject({
    state: 'open',
    differences: [{ kind: 'unknown_reversal', paymentId: id, amount: 0, ownAmount: 4 }],
  });
});

test('an import whose node died goes on at the page where it was', async () => {
  for (let index = 0; index < 250; index++) receiveElsewhere();
  await endDay();
  const claim = { limit: 1, slotsOf: () => 1 };
  const { dueWork } = app.services;
  const [claimed] = await dueWork.claim('statement_day', claim);
  expect(await dueWork.run('statement_day', claimed?.id ?? '')).toBe(true);
  expect(await dueWork.claim('statement_day', claim)).toHaveLength(1);
  // Its node dies here.
  expect(await importDays(other)).toBe(0);
  expect(await book()).toMatchObject({ state: 'open', importedAt: null });
  pass(31_000);
  const before = emulator.requests.length;
  expect(await importDays(other)).toBe(1);
  const pages = emulator.requests
    .slice(before)
    .filter(({ operation }) => operation === 'list')
    .map(({ query: asked }) => asked.get('paginacao.paginaAtual'));
  expect(pages).toEqual(['1', '2']);
  expect(await book()).toMatchObject({ pixCount: 250, received: 250 * 7.77 });
});

test('a statement that lists a Pix twice makes the day unavailable, until it no longer does', async () => {
  await createPaid();
  const unknown = receiveElsewhere();
  const [unknownPix] = unknown.pix;
  if (unknownPix) unknown.pix.push(unknownPix);
  await endDay();
  await importDays();
  expect(await book()).toMatchObject({
    state: 'unavailable',
    problem: 'the statement lists a Pix twice',
    problemReason: { code: 'listed_twice' },
  });
  unknown.pix.pop();
  pass(hourMs);
  await importDays();
  expect(await book()).toMatchObject({ state: 'open', problem: null, problemReason: null, pixCount: 2 });
});

test('a bank that cannot be read is tried again', async () => {
  await createPaid();
  emulator.faults.add({ kind: 'error', operation: 'list' });
  await endDay();
  await importDays();
  expect(await book()).toMatchObject({
    state: 'unavailable',
    importedAt: null,
    problem: 'the provider returned HTTP 500',
    problemReason: { code: 'request_failed', cause: 'provider_failing' },
  });
  pass(hourMs);
  await importDays();
  expect(await book()).toMatchObject({ state: 'closed', problem: null });
});

test('the command line lists days and exports them', async () => {
  const { id, charge } = await createPaid();
  receiveElsewhere();
  await endDay();
  await importDays();
  const run = (...args: string[]) =>
    pix(['books', ...args, '--org', live.organizationId], { DATABASE_URL: databaseUrl });
  const range = ['--from', day, '--to', day];
  const { stdout } = await run('--json', ...range);
  const [credentialId] = live.accounts.map((account) => account.credentialId);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      credentialId,
      date: day,
      received: 17.77,
      refunded: 0,
      reversed: 0,
      net: 17.77,
      pixCount: 2,
      state: 'open',
      differences: [{ kind: 'unmatched_pix', amount: 7.77, paymentId: null }],
    },
  ]);
  expect((await run('--day', day)).stdout).toMatch(/state +open[^]+kind +unmatched_pix/);
  const lines = (await run('export', ...range)).stdout.trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  const endToEndId = charge.pix[0]?.endToEndId ?? '';
  expect(lines.find((line) => line.includes(endToEndId))?.split(',')).toEqual([
    day,
    credentialId,
    'bacen',
    'received',
    `${day}T12:00:00.000-03:00`,
    endToEndId,
    endToEndId,
    id,
    '',
    '10.00',
    '',
    '',
    '',
  ]);
});

test('the command line says so where no account has books of a day', async () => {
  const { id } = await app.services.organizations.create('Without an account');
  const date = daysBefore(brasiliaDay(new Date()), 1);
  const args = ['books', 'fetch', '--org', id, '--date', date, '--json'];
  const refused = await pix(args, { DATABASE_URL: databaseUrl });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('no enabled credential was there that day');
});

test('the workers of a node import by themselves', async () => {
  await createPaid();
  clock = firstImport(day);
  const node = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'worker' }, { now: () => clock });
  try {
    await eventually(async () => expect(await book()).toMatchObject({ state: 'closed', pixCount: 1 }));
  } finally {
    await node.stop();
  }
});

test("at a provider whose list names no returns they are unknown, and its charges' own ids find the payments", async () => {
  await live.stop();
  live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
  const { id } = await createPaid();
  const lost = await create();
  emulator.ledger.pay(lost.charge);
  await live.client.post(`/v1/payments/${id}/refunds`, { amount: 3 });
  const unmatched = receiveElsewhere();
  await endDay();
  await importDays();
  expect(await book()).toMatchObject({
    state: 'open',
    pixCount: 3,
    received: 27.77,
    refunded: null,
    reversed: null,
    net: null,
    ownPixCount: 2,
    differences: [{ kind: 'unmatched_pix', endToEndId: unmatched.pix[0]?.endToEndId }],
  });
});

describe('what a provider charged', () => {
  const say = async (fees: unknown) => {
    const [account] = live.accounts;
    await app.services.credentials.update(operatorFor(live.organizationId), account?.credentialId ?? '', {
      fees,
    });
  };

  const read = async () => {
    await app.services.books.fetch(operatorFor(live.organizationId), { date: day });
    await importDays();
    return book();
  };

  beforeEach(async () => {
    await live.stop();
    live = await openLiveOrganization(app, () => clock, ['asaas', asaas]);
    emulator = live.accounts[0]?.emulator as PspEmulator;
  });

  test('is compared with nothing where nobody has said what it should', async () => {
    await createPaid();
    await endDay();
    await importDays();
    expect(await book()).toMatchObject({ state: 'closed', fee: 0.99, expectedFee: null });
  });

  test('is compared with nothing on days before somebody has', async () => {
    await createPaid();
    await endDay();
    await say({ fixed: 0.5 });
    await importDays();
    expect(await book()).toMatchObject({ state: 'closed', fee: 0.99, expectedFee: null });
  });

  test('is a difference where it is not what the fees say, until that is settled', async () => {
    await say({ percent: 5 });
    const { id } = await createPaid();
    await endDay();
    await importDays();
    const { differences, ...sums } = await book();
    expect(sums).toMatchObject({ state: 'open', received: 10, fee: 0.99, expectedFee: 0.5 });
    expect(differences).toMatchObject([
      { kind: 'fee_differs', paymentId: id, amount: 0.99, ownAmount: 0.5, resolutions: ['explained'] },
    ]);
    let csv = '';
    const range = { from: day, to: day };
    for await (const part of app.services.bookExport.csv(operatorFor(live.organizationId), range))
      csv += part;
    const [header, line] = csv.split('\r\n').map((each) => each.split(',').slice(-3));
    expect([header, line]).toEqual([
      ['fee', 'reason', 'expectedFee'],
      ['0.99', '', '0.50'],
    ]);
    const receipts = await app.services.receipts.sumByDay(operatorFor(live.organizationId), range);
    const fees = { fee: 0.99, expectedFee: 0.5 };
    expect(receipts).toMatchObject({ groups: [fees], days: [{ groups: [fees], book: fees }] });
    const settlement = { id: differences[0]?.id, resolution: 'explained', reason: 'agreed by phone' };
    await app.services.differences.settle(operatorFor(live.organizationId), settlement);
    expect(await read()).toMatchObject({ state: 'closed', differences: [{ state: 'settled' }] });
  });

  test('may be a centavo off, as providers round in ways of their own', async () => {
    await say({ percent: 9.8 });
    await createPaid();
    await endDay();
    await importDays();
    expect(await book()).toMatchObject({ state: 'closed', fee: 0.99, expectedFee: 0.98, differences: [] });
  });

  test.each([
    [{ percent: 5, fixed: 0.1, minimum: 1.2 }, 1.2],
    [{ percent: 20, maximum: 1.1 }, 1.1],
    [{ percent: 12.345 }, 1.23],
    [{ percent: 12.35 }, 1.24],
    [{ percent: 0 }, 0],
  ])('is expected by %j', async (fees, expectedFee) => {
    await say(fees);
    await createPaid();
    await endDay();
    await importDays();
    expect(await book()).toMatchObject({ expectedFee });
  });
});

test.each<[string, DefinePsp, number]>([
  ['asaas', asaas, 0.99],
  ['mercadopago', mercadopago, 0.11],
])(
  'the books of %s close to the cent, with what was given back and the fees',
  async (provider, define, fee) => {
    await live.stop();
    live = await openLiveOrganization(app, () => clock, [provider, define]);
    emulator = live.accounts[0]?.emulator as PspEmulator;
    const { id, charge } = await createPaid();
    const lost = await create();
    emulator.ledger.pay(lost.charge);
    const [pix] = charge.pix;
    const elsewhere = {
      refundId: '',
      reference: '77',
      endToEndId: pix?.endToEndId ?? '',
      amountInCents: cents(300),
    };
    emulator.ledger.refund(charge, { ...elsewhere, status: 'completed' });
    const unmatched = receiveElsewhere(String(randomInt(1e10, 1e11)));
    await endDay();
    await importDays();
    expect(await book()).toMatchObject({
      state: 'open',
      problem: null,
      pixCount: 3,
      received: 27.77,
      refunded: 3,
      reversed: 0,
      net: 24.77,
      fee: Math.round(fee * 300) / 100,
      ownPixCount: 2,
      ownReturned: 3,
      differences: [{ kind: 'unmatched_pix', amount: 7.77, paymentId: null }],
    });
    expect((await live.client.get(`/v1/payments/${lost.id}`)).body).toMatchObject({ status: 'completed' });
    expect((await live.client.get(`/v1/payments/${id}`)).body).toMatchObject({ amountRefunded: 3 });
    emulator.ledger.remove(unmatched, lost.charge);
    await app.services.books.fetch(operatorFor(live.organizationId), { date: day });
    await importDays();
    expect(await book()).toMatchObject({
      pixCount: 1,
      differences: [{ kind: 'missing_pix', paymentId: lost.id, amount: null, ownAmount: 10 }],
    });
  },
);

test('the days of a provider that lists nothing by day are unavailable, and say why', async () => {
  await live.stop();
  live = await openLiveOrganization(app, () => clock, ['pagarme', pagarme], ['pagbank', pagbank]);
  await endDay();
  await importDays();
  const days = await app.services.books.list(operatorFor(live.organizationId), { from: day, to: day });
  expect(days.map(({ problemReason }) => problemReason)).toEqual(days.map(() => ({ code: 'no_statement' })));
  expect(new Set(days.map(({ provider, state, problem }) => [provider, state, problem]))).toEqual(
    new Set([
      ['pagarme', 'unavailable', 'Pagar.me lists charges by the day they were made, whenever they were paid'],
      ['pagbank', 'unavailable', 'the Orders API lists nothing by day'],
    ]),
  );
});

test('of two credentials of one account, each counts the Pix of its charges, and the older one the rest', async () => {
  const { settings } = emulator;
  const caller = operatorFor(live.organizationId);
  const input = {
    provider: 'bacen',
    name: 'second',
    settings: { ...settings, notificationAuth: 'urlToken' },
    isDefault: false,
  };
  pass(1_000);
  const { id: second } = await app.services.credentials.create(caller, input);
  await createPaid();
  const { body } = await live.client.post('/v1/payments', { amount: 20, credentialId: second });
  await emulator.pay((emulator.ledger.charges.at(-1) as EmulatedCharge).transactionId);
  receiveElsewhere();
  await endDay();
  // Whichever is first, the second import of the other knows.
  for (let turn = 0; turn < 2; turn++) {
    await importDays();
    await app.services.books.fetch(caller, { date: day });
  }
  await importDays();
  const first = live.accounts[0]?.credentialId;
  const days = await app.services.books.list(caller, { from: day, to: day });
  expect(days.find(({ credentialId }) => credentialId === first)).toMatchObject({
    pixCount: 2,
    received: 17.77,
    ownPixCount: 1,
    differences: [{ kind: 'unmatched_pix' }],
  });
  expect(days.find(({ credentialId }) => credentialId === second)).toMatchObject({
    state: 'closed',
    pixCount: 1,
    received: 20,
    ownPixCount: 1,
    ownReceived: 20,
  });
  let csv = '';
  for await (const chunk of app.services.bookExport.csv(caller, { from: day, to: day, credentialId: second }))
    csv += chunk;
  expect(csv.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(String(body.id))]);
});

test('a list that changes while it is read is read again from the start', async () => {
  for (let index = 0; index < 150; index++) receiveElsewhere();
  await endDay();
  const claim = { limit: 1, slotsOf: () => 1 };
  const [claimed] = await app.services.dueWork.claim('statement_day', claim);
  await app.services.dueWork.run('statement_day', claimed?.id ?? '');
  const added = receiveElsewhere();
  Object.assign(added.pix[0] ?? {}, { paidAt: windowOfDay(day).since });
  pass(31_000);
  await importDays();
  const problem = 'the statement changed while it was read';
  const problemReason = { code: 'changed_meanwhile' };
  expect(await book()).toMatchObject({ state: 'unavailable', problem, problemReason, importedAt: null });
  pass(hourMs);
  await importDays();
  expect(await book()).toMatchObject({ state: 'open', problem: null, pixCount: 151 });
});

test.each([
  [{ from: '2026-02-30' }, 'from must be a date such as 2026-11-21'],
  [{ from: '2026-03-01', to: '2026-02-01' }, 'from must not be after to'],
  [{ from: '2024-01-01', to: '2026-02-01' }, 'from must be at most 366 days before to'],
])('%j is refused', async (range, message) => {
  const caller = operatorFor(live.organizationId);
  await expect(app.services.books.list(caller, range)).rejects.toThrow(message);
});

test("another organization's credential is refused", async () => {
  const { organizationId } = await createKey(app.services);
  const [credentialId = ''] = live.accounts.map((account) => account.credentialId);
  const list = app.services.books.list(operatorFor(organizationId), { credentialId });
  await expect(list).rejects.toThrow(credentialId);
});
