import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attemptIdOf, attemptPlaceOf } from '../../../src/core/base/ids.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { dump, restore } from '../../support/dump.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { everyPsp } from '../../support/psp-emulator/all.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const payer = {
  name: 'João Ferreira',
  document: '11144477735',
  email: 'joao@example.com',
  phone: '+5511987654321',
};

interface Report {
  lostSince: string;
  accounts: {
    credentialId: string;
    provider: string;
    lost: number;
    unnamed: string[];
    problem: string | null;
  }[];
  payments: { paymentId: string; amount: number; status: string }[];
}

interface SeenEvent {
  id: string;
  sequence: number;
  epoch: number;
}

let app: TestApp;
let copyUrl: string;
let live: LiveOrganization;
let receiver: WebhookReceiver;

const settings = { WEBHOOK_ALLOWED_HOSTS: receiverHost };

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  copyUrl = await freshDatabase();
  app = await startTestApp({ ...settings, DATABASE_URL: await freshDatabase() });
  live = await openLiveOrganization(app, () => new Date(), ...everyPsp);
  await app.services.webhookEndpoints.create(operatorFor(live.organizationId, 'live'), { url: receiver.url });
});

afterAll(async () => {
  await app.stop();
  await live.stop();
  await receiver.stop();
});

const accountAt = (index: number): LiveAccount => {
  const account = live.accounts[index];
  if (!account) throw new Error('there is no such account');
  return account;
};

async function create({ credentialId, emulator }: LiveAccount, amount: number) {
  const { status, body } = await live.client.post('/v1/payments', { amount, credentialId, payer });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: String(body.id), transactionId: emulator.ledger.charges.at(-1)?.transactionId ?? '' };
}

const seen = (): SeenEvent[] => receiver.requests.map(({ body }) => JSON.parse(body) as SeenEvent);

async function check(...args: string[]): Promise<{ report: Report; code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await pix(['restore', 'check', '--json', ...args], {
    DATABASE_URL: copyUrl,
    LOG_LEVEL: 'silent',
  });
  if (!stdout) throw new Error(`restore check printed nothing: ${stderr}`);
  return { report: JSON.parse(stdout) as Report, code, stderr };
}

test('charges of the lost time are recorded again under the ids that their clients know', async () => {
  const bank = accountAt(0);
  const before = await create(bank, 11);
  const paidBefore = await create(bank, 12);
  await bank.emulator.pay(paidBefore.transactionId);
  await eventually(() => expect(seen()).toHaveLength(1));
  const backup = await dump(app.databaseUrl);

  await bank.emulator.pay(before.transactionId);
  const lost = [];
  for (const [index, account] of live.accounts.slice(0, 5).entries())
    lost.push({ ...(await create(account, 20 + index)), account, amount: 20 + index });
  const cancelled = await create(bank, 30);
  await live.client.post(`/v1/payments/${cancelled.id}/cancel`);
  const unlisted = await create(accountAt(5), 40);
  for (const { account, transactionId } of lost.slice(1)) await account.emulator.pay(transactionId);
  await eventually(() => expect(seen()).toHaveLength(7));
  expect(seen().map(({ sequence, epoch }) => [sequence, epoch])).toContainEqual([7, 1]);
  await app.stop();
  // Another system made these.
  for (const transactionId of ['0123456789abcdef0123456789abcdef', 'loja0000000000000000000000000042']) {
    const charge = bank.emulator.ledger.find(lost[0]?.transactionId ?? '');
    if (charge) bank.emulator.ledger.add({ ...charge, transactionId, reference: transactionId });
  }
  await restore(copyUrl, backup);

  const trial = await check('--dry-run');
  expect(trial.report.payments).toHaveLength(6);
  expect(await query(copyUrl, 'SELECT id FROM payment')).toHaveLength(2);

  const { report, code, stderr } = await check();
  expect(report.accounts.map(({ provider, lost: count, problem }) => [provider, count, problem])).toEqual([
    ['bacen', 2, null],
    ['mercadopago', 1, null],
    ['asaas', 1, null],
    ['woovi', 1, null],
    ['pagarme', 1, null],
    ['pagbank', 0, expect.stringContaining('no list')],
  ]);
  expect(report.accounts.every(({ unnamed }) => unnamed.length === 0)).toBe(true);
  expect(report.payments.map(({ paymentId, status }) => [paymentId, status])).toEqual([
    [lost[0]?.id, 'pending'],
    ...lost.slice(1).map(({ id }) => [id, 'completed']),
    [cancelled.id, 'cancelled'],
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 of 6 accounts have a problem')]);

  app = await startTestApp({ ...settings, DATABASE_URL: copyUrl });
  const client = createClient(app.baseUrl, live.key);
  const statusOf = async (id: string) => (await client.get(`/v1/payments/${id}`)).body.status;
  await eventually(async () => expect(await statusOf(before.id)).toBe('completed'));
  for (const { id, amount } of lost) {
    expect(await client.get(`/v1/payments/${id}`)).toMatchObject({ status: 200, body: { id, amount } });
  }
  expect((await client.get(`/v1/payments/${lost[0]?.id}`)).body.pixCopyPaste).toMatch(/^000201/);
  expect((await client.get(`/v1/payments/${unlisted.id}`)).status).toBe(404);

  await eventually(() => expect(seen()).toHaveLength(7 + 6));
  const later = seen().slice(7);
  expect(later.every(({ sequence, epoch }) => sequence > 1_000_000 && epoch === 2)).toBe(true);
  expect(new Set(seen().map(({ sequence }) => sequence)).size).toBe(seen().length);

  const again = await check();
  expect(again.report).toMatchObject({ lostSince: report.lostSince, payments: [] });
  const [counter] = await query(copyUrl, `SELECT epoch FROM event_counter WHERE mode = 'live'`);
  expect(counter).toEqual({ epoch: 2 });
});

test('the id of a charge tells its payment and the place in its routing order', () => {
  const [charge] = accountAt(0).emulator.ledger.charges;
  const place = attemptPlaceOf(attemptIdOf(charge?.transactionId ?? '') ?? '');
  expect(place?.position).toBe(0);
});
