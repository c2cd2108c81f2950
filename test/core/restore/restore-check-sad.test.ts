import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { newPaymentId, attemptIdAt, transactionIdOf } from '../../../src/core/base/ids.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import type { RestoreReport } from '../../../src/core/restore/restore-check.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let app: TestApp;
let live: LiveOrganization;
let others: LiveOrganization;
let ruleSetId: string;
let banks: [LiveAccount, LiveAccount];

const now = () => new Date();
const daysFromNow = (days: number): string => brasiliaDay(new Date(Date.now() + days * 24 * 3_600_000));
const restoredTo = new Date(Date.now() - 60_000);

beforeAll(async () => {
  // Has no workers, which would go on with what is lost here.
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
  live = await openLiveOrganization(app, now, ['bacen', defineBacen()], ['woovi', woovi]);
  others = await openLiveOrganization(app, now, ['bacen', defineBacen()]);
  banks = live.accounts as [LiveAccount, LiveAccount];
  const rules = { fallbackCredentialIds: live.accounts.map(({ credentialId }) => credentialId) };
  const operator = operatorFor(live.organizationId);
  ruleSetId = (await app.services.ruleSets.create(operator, 'Both', rules)).id;
});

afterAll(async () => {
  await app.stop();
  await live.stop();
  await others.stop();
});

async function create(input: object = {}) {
  const { status, body } = await live.client.post('/v1/payments', { amount: 10, ruleSetId, ...input });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}

async function lose(paymentId: string): Promise<void> {
  for (const [table, column] of [
    ['payment_attempt', 'payment_id'],
    ['payment', 'id'],
  ])
    await query(app.databaseUrl, `DELETE FROM ${table} WHERE ${column} = $1`, [paymentId]);
}

const check = (): Promise<RestoreReport> =>
  app.services.restoreCheck.run({ lostSince: restoredTo, isTrial: false });

const attempts = (paymentId: string) =>
  query<{ provider: string; outcome: string; reason: string }>(
    app.databaseUrl,
    'SELECT provider, outcome::text, reason FROM payment_attempt WHERE payment_id = $1 ORDER BY position',
    [paymentId],
  );

const problemAt = ({ accounts }: RestoreReport, { credentialId }: LiveAccount) =>
  accounts.find((account) => account.credentialId === credentialId)?.problem;

test('a payment gets the charge whose code was given out; an earlier one is withdrawn', async () => {
  const [first, second] = banks;
  // Carried out, but nobody learns of it.
  first.emulator.faults.add({ operation: 'create', kind: 'reset', isDone: true });
  first.emulator.faults.add({ operation: 'find', kind: 'error', times: 3 });
  const id = await create();
  first.emulator.faults.clear();
  expect((await attempts(id)).map(({ outcome }) => outcome)).toEqual(['unknown', 'created']);
  const { body: before } = await live.client.get(`/v1/payments/${id}`);
  await lose(id);

  const { payments } = await check();
  expect(payments.filter(({ paymentId }) => paymentId === id)).toMatchObject([
    { credentialId: second.credentialId },
  ]);
  const { body: after } = await live.client.get(`/v1/payments/${id}`);
  const { status, provider, pixCopyPaste } = before;
  expect(after).toMatchObject({ status, provider: 'woovi', pixCopyPaste });
  expect([status, provider]).toEqual(['pending', 'woovi']);
  expect(await attempts(id)).toEqual([
    { provider: 'bacen', outcome: 'unknown', reason: 'recovered' },
    { provider: 'woovi', outcome: 'created', reason: 'recovered' },
  ]);
  await app.services.reconciliation.payment_attempt(10);
  expect((await attempts(id))[0]).toMatchObject({ outcome: 'withdrawn' });
});

test('one that was being created when the backup was made becomes pending with its later charge', async () => {
  banks[0].emulator.faults.add({ operation: 'create', kind: 'reject' });
  const id = await create();
  await query(
    app.databaseUrl,
    `UPDATE payment SET status = 'creating', attempt_id = NULL, pix_copy_paste = NULL, credential_id = NULL WHERE id = $1`,
    [id],
  );
  for (const [position, outcome] of ['open', 'planned'].entries())
    await query(
      app.databaseUrl,
      'UPDATE payment_attempt SET outcome = $2::"AttemptOutcome", error = NULL WHERE payment_id = $1 AND position = $3',
      [id, outcome, position],
    );

  await check();
  expect((await live.client.get(`/v1/payments/${id}`)).body).toMatchObject({
    status: 'pending',
    provider: 'woovi',
    pixCopyPaste: expect.stringMatching(/^000201/),
  });
  expect((await attempts(id)).map(({ outcome }) => outcome)).toEqual(['unknown', 'created']);
});

test('a charge that somebody else gave the id of a payment changes nothing about it', async () => {
  const [victim] = others.accounts as [LiveAccount];
  const { body } = await others.client.post('/v1/payments', { amount: 10 });
  const id = String(body.id);
  await query(app.databaseUrl, `UPDATE payment SET status = 'creating' WHERE id = $1`, [id]);
  await query(app.databaseUrl, `UPDATE payment_attempt SET outcome = 'open' WHERE payment_id = $1`, [id]);
  const stored = () =>
    query(
      app.databaseUrl,
      'SELECT p.*, a.* FROM payment p JOIN payment_attempt a ON a.payment_id = p.id WHERE p.id = $1',
      [id],
    );
  const before = await stored();
  const [bank] = banks;
  const forged = [attemptIdAt(id, 0), attemptIdAt(id, 1)].map(transactionIdOf);
  for (const transactionId of forged) {
    bank.emulator.ledger.add({
      transactionId,
      reference: transactionId,
      amountInCents: cents(10_00),
      expiresAt: new Date(Date.now() + 3_600_000),
    });
  }
  victim.emulator.ledger.remove(...victim.emulator.ledger.charges);
  const report = await check();
  bank.emulator.ledger.remove(...bank.emulator.ledger.charges.slice(-2));
  expect(problemAt(report, bank)).toContain('could not be read or believed');
  expect(report.payments.some(({ paymentId }) => paymentId === id)).toBe(false);
  expect(await stored()).toEqual(before);
});

test('a provider that is away is named, and asked again by the next run', async () => {
  const id = await create();
  await lose(id);
  const [bank] = banks;
  const recovered = ({ payments }: RestoreReport) => payments.some(({ paymentId }) => paymentId === id);
  bank.emulator.faults.add({ operation: 'list', kind: 'reject', times: 3 });
  const first = await check();
  bank.emulator.faults.clear();
  expect(problemAt(first, bank)).toContain('400');
  expect(recovered(first)).toBe(false);
  const second = await check();
  expect(problemAt(second, bank)).toBeNull();
  expect(recovered(second)).toBe(true);
});

test('a charge whose id does not tell its payment is named', async () => {
  const [bank] = banks;
  const transactionId = transactionIdOf(newPaymentId(new Date()));
  bank.emulator.ledger.add({
    transactionId,
    reference: transactionId,
    amountInCents: cents(10_00),
    expiresAt: new Date(),
  });
  const { accounts, payments } = await check();
  expect(accounts[0]?.unnamed).toEqual([transactionId]);
  expect(payments.some((payment) => payment.transactionId === transactionId)).toBe(false);
});

test('a charge whose terms only its payment had is named, unless the payment is there', async () => {
  const terms = {
    due: { date: daysFromNow(40), fine: { percent: 2 } },
    payer: { name: 'João Souza', document: '529.982.247-25' },
  };
  const [known, lost] = [await create(terms), await create(terms)];
  await lose(lost);
  const { accounts, payments } = await check();
  const expected = [transactionIdOf(attemptIdAt(lost, 0))];
  expect(accounts[0]?.unnamed).toEqual(expect.arrayContaining(expected));
  expect(accounts[0]?.unnamed).not.toContain(transactionIdOf(attemptIdAt(known, 0)));
  expect(payments.some(({ paymentId }) => paymentId === lost)).toBe(false);
});

test('without a restore that is noticed or given, there is nothing to check', async () => {
  const untouched = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
  const run = (isTrial: boolean) => untouched.services.restoreCheck.run({ lostSince: undefined, isTrial });
  for (const isTrial of [true, false]) await expect(run(isTrial)).rejects.toThrow('--restored-to');
  await untouched.stop();
});
