import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { createPerson, openSession } from '../../support/people.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import { pagarme } from '../../support/psp-emulator/pagarme.ts';
import { pagbank } from '../../support/psp-emulator/pagbank.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};
const somebodyElse = { name: 'Beltrana Rocha', document: '01144477735' };

let app: TestApp;
let live: LiveOrganization;
let organizationId: string;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
});

afterAll(() => app.stop());

async function openTest(): Promise<void> {
  const key = await createKey(app.services);
  ({ organizationId } = key);
  client = createClient(app.baseUrl, key.key);
}

/** Paid in test mode; `by` nobody says. */
async function paid(by?: object, body: object = { amount: 10, payer }): Promise<string> {
  const { body: created } = await client.post('/v1/payments', body);
  const { status } = await client.post(`/v1/sandbox/payments/${created.id}/pay`, by && { payer: by });
  expect(status).toBe(200);
  return String(created.id);
}

const shown = async (id: string, reader = client) => (await reader.get(`/v1/payments/${id}`)).body;
const refundsOf = async (id: string, reader = client) =>
  (await reader.get(`/v1/payments/${id}/refunds`)).body.data as object[];
const concerning = async (reader = client) =>
  ((await reader.get('/v1/payments?concern=other_payer')).body.data as { id: string }[]).map(({ id }) => id);
const set = (otherPayer: string, of = organizationId) =>
  app.services.organizationSettings.update(operatorFor(of), { otherPayer });
const returnAll = () => app.services.returnsToOthers.runDue(100);

describe('who paid is told by', () => {
  const institution = { ispb: '12345678' };
  test.each<[string, DefinePsp, object]>([
    [
      'bacen',
      defineBacen(),
      { documentMasked: '***.444.777-**', message: 'pagamento do pedido (5 %)', institution },
    ],
    ['woovi', woovi, { documentMasked: '***.444.777-**', message: 'OpenPix testing', institution }],
    ['asaas', asaas, { documentMasked: '***.444.777-**', institution }],
    ['mercadopago', mercadopago, { documentMasked: '***.444.777-**' }],
    ['pagarme', pagarme, { documentMasked: '***.444.777-**', institution }],
    ['pagbank', pagbank, { documentMasked: '***.444.777-**' }],
  ])('%s', async (provider, define, expected) => {
    live = await openLiveOrganization(app, () => new Date(), [provider, define]);
    const emulator = live.accounts[0]?.emulator as PspEmulator;
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
    await emulator.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '', { payer: somebodyElse });
    await app.services.notifications.drain();
    const payment = await shown(body.id, live.client);
    expect(payment).toMatchObject({ status: 'completed', payerMatches: false });
    expect(payment.paidBy).toEqual({ name: 'Beltrana Rocha', ...expected });
    await live.stop();
  });

  test('nobody where the provider says nothing', async () => {
    await openTest();
    const payment = await shown(await paid());
    expect(payment).not.toHaveProperty('paidBy');
    expect(payment).not.toHaveProperty('payerMatches');
  });
});

describe('a payment', () => {
  beforeEach(openTest);

  test('says that the payer asked for has paid it', async () => {
    const payment = await shown(await paid({ name: 'F. Tal', document: '52998224725' }));
    expect(payment).toMatchObject({ payerMatches: true, paidBy: { documentMasked: '***.982.247-**' } });
  });

  test('says who paid, if nobody was asked for', async () => {
    const payment = await shown(await paid(somebodyElse, { amount: 10 }));
    expect(payment).toMatchObject({ paidBy: { name: 'Beltrana Rocha' } });
    expect(payment).not.toHaveProperty('payerMatches');
  });

  test('names an impossible payer', async () => {
    const { body } = await client.post('/v1/payments', { amount: 10 });
    const refused = await client.post(`/v1/sandbox/payments/${body.id}/pay`, { payer: { document: '12' } });
    expect(refused.body.message).toBe('payer.document must be a CPF of 11 digits or a CNPJ of 14 characters');
  });

  test('is found by who paid it, at once', async () => {
    const id = await paid(somebodyElse);
    await paid();
    for (const text of [
      'search=beltrana',
      'search=01144477735',
      'payer=Beltrana+Rocha',
      'payer=011.444.777-35',
    ])
      expect([text, (await client.get(`/v1/payments?${text}`)).body.data]).toMatchObject([text, [{ id }]]);
    expect((await client.get('/v1/payments?payer=Beltrana+Tal')).body.data).toEqual([]);
  });

  test('hides who paid from those who may not read payers', async () => {
    const id = await paid({ ...somebodyElse, name: 'Beltrana Rocha' });
    const { client: viewer } = await openSession(app, { role: 'viewer', organizationId });
    const text = `{ paymentDetail(id: "${id}") {
      payment { paidBy { name documentMasked message } payerMatches }
      receivedPix { paidBy { name documentMasked message } payerMatches } } }`;
    const paidBy = { name: 'Beltrana ***', documentMasked: null, message: null };
    const { body } = await viewer.graphql(text);
    expect(body.data.paymentDetail).toEqual({
      payment: { paidBy, payerMatches: false },
      receivedPix: [{ paidBy, payerMatches: false }],
    });
    const { client: support } = await openSession(app, { role: 'support', organizationId });
    const seen = await support.graphql(text);
    expect(seen.body.data.paymentDetail.receivedPix).toMatchObject([{ paidBy: { name: 'Beltrana Rocha' } }]);
  });

  test('says so in its event', async () => {
    await paid(somebodyElse);
    const { body } = await client.get('/v1/events');
    const completed = (body.data as { type: string; data: object }[]).find(
      ({ type }) => type === 'payment_completed',
    );
    expect(completed?.data).toMatchObject({ payerMatches: false, paidBy: { name: 'Beltrana Rocha' } });
  });
});

describe('a payment of another payer', () => {
  beforeEach(openTest);

  test('is left alone unless the organization wants something else', async () => {
    const id = await paid(somebodyElse);
    expect(await concerning()).toEqual([]);
    expect(await returnAll()).toBe(0);
    expect(await shown(id)).toMatchObject({ status: 'completed' });
  });

  test('needs review with flag', async () => {
    await set('flag');
    const id = await paid(somebodyElse);
    await paid({ document: payer.document });
    await paid();
    expect(await concerning()).toEqual([id]);
    expect(await app.services.attention.list(operatorFor(organizationId, 'test'))).toContainEqual(
      expect.objectContaining({ kind: 'payments_other_payer', count: 1 }),
    );
    expect(await returnAll()).toBe(0);
    await client.post(`/v1/payments/${id}/refunds`, {});
    expect(await concerning()).toEqual([]);
  });

  test('is refunded whole with refund, once', async () => {
    await set('refund');
    const id = await paid(somebodyElse);
    expect(await concerning()).toEqual([id]);
    await Promise.all([returnAll(), returnAll()]);
    expect(await returnAll()).toBe(0);
    expect(await shown(id)).toMatchObject({ status: 'refunded', amountRefunded: 10 });
    expect(await refundsOf(id)).toMatchObject([{ amount: 10, reason: 'Pago por outra pessoa' }]);
    const [entry] = await query<{ details: object }>(
      app.databaseUrl,
      "SELECT details FROM audit_entry WHERE action = 'payment.refund' AND subject = $1",
      [id],
    );
    expect(entry?.details).toMatchObject({ rule: 'otherPayer', amount: 10 });
  });

  test('is refunded once after a crash in between', async () => {
    await set('refund');
    const id = await paid(somebodyElse);
    await returnAll();
    await query(app.databaseUrl, 'UPDATE payment SET return_due_at = now() WHERE id = $1', [id]);
    expect(await returnAll()).toBe(1);
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test('stays for a person while it is disputed', async () => {
    await set('refund');
    const id = await paid(somebodyElse);
    await client.post(`/v1/sandbox/payments/${id}/dispute`, {});
    expect(await returnAll()).toBe(1);
    expect(await returnAll()).toBe(0);
    expect(await refundsOf(id)).toEqual([]);
    expect(await concerning()).toEqual([id]);
  });

  test('that came second is a duplicate, and the first Pix stays', async () => {
    await set('refund');
    const id = await paid({ document: payer.document });
    await client.post(`/v1/sandbox/payments/${id}/pay`, { payer: somebodyElse });
    expect(await returnAll()).toBe(0);
    expect(await shown(id)).toMatchObject({ status: 'completed', payerMatches: true });
  });

  test('waits for approval where a refund of that amount does', async () => {
    live = await openLiveOrganization(app, () => new Date(), ['woovi', woovi]);
    const emulator = live.accounts[0]?.emulator as PspEmulator;
    await createPerson(app, { organizationId: live.organizationId });
    await createPerson(app, { organizationId: live.organizationId });
    const operator = operatorFor(live.organizationId);
    await app.services.organizationSettings.update(operator, {
      otherPayer: 'refund',
      refundApprovalAbove: 5,
    });
    const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
    await emulator.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '', { payer: somebodyElse });
    await app.services.notifications.drain();
    expect(await returnAll()).toBe(1);
    expect(await refundsOf(body.id, live.client)).toMatchObject([
      { status: 'pending', awaitingApproval: true },
    ]);
    const { data } = await app.services.approvals.list(operator, {
      pendingOnly: true,
      limit: 10,
      cursor: undefined,
    });
    expect(data).toMatchObject([{ action: 'payment.refund', subject: body.id }]);
    await live.stop();
  });
});

test('the setting takes one of its words', async () => {
  await openTest();
  await expect(set('return')).rejects.toThrow('otherPayer must be one of ignore, flag, refund');
});
