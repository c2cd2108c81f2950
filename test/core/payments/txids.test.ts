import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };

let app: TestApp;
let live: LiveOrganization;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
});

afterAll(() => app.stop());

/** A payment at the provider; the emulator has its charge. */
async function createAt(provider: string, define: DefinePsp) {
  live = await openLiveOrganization(app, () => new Date(), [provider, define]);
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  const emulator = live.accounts[0]?.emulator;
  const charge = emulator?.ledger.charges.at(-1);
  if (!emulator || !charge) throw new Error('there is no charge');
  return { id: String(body.id), created: body, emulator, charge };
}

test('a bank knows the payment by the txid that it was given', async () => {
  const { id, created, charge } = await createAt('bacen', defineBacen());
  expect(created.txid).toBe(charge.transactionId);
  expect((await live.client.get(`/v1/payments/${id}`)).body.txid).toBe(charge.transactionId);
  const { body } = await live.client.graphql(`{ payment(id: "${id}") { txid } }`);
  expect(body.data.payment.txid).toBe(charge.transactionId);
  await live.stop();
});

test('that of Woovi is its own, and finds the payment', async () => {
  const { id, created, charge } = await createAt('woovi', woovi);
  expect(created.txid).toBe(charge.reference);
  expect(created.txid).not.toBe(charge.transactionId);
  const found = await live.client.get(`/v1/payments?search=${charge.reference}`);
  expect(found.body.data).toMatchObject([{ id }]);
  await live.stop();
});

test('a provider that tells none has none', async () => {
  const { created } = await createAt('mercadopago', mercadopago);
  expect(created).not.toHaveProperty('txid');
  await live.stop();
});

test('one that a code states finds its payment', async () => {
  const { id } = await createAt('mercadopago', mercadopago);
  await query(app.databaseUrl, "UPDATE payment SET txid = 'MPqrinter1294302' WHERE id = $1", [id]);
  for (const text of ['MPqrinter1294302', 'mpqrinter1294302']) {
    const found = await live.client.get(`/v1/payments?search=${text}`);
    expect(found.body.data).toMatchObject([{ id }]);
  }
  const { body } = await live.client.get('/v1/payments?search=MPqrinter129430');
  expect(body.data).toEqual([]);
  await live.stop();
});

test('a payment from an earlier release has it once it is paid', async () => {
  const { id, charge, emulator } = await createAt('bacen', defineBacen());
  await query(app.databaseUrl, 'UPDATE payment SET txid = NULL WHERE id = $1', [id]);
  expect((await live.client.get(`/v1/payments/${id}`)).body).not.toHaveProperty('txid');
  await emulator.pay(charge.transactionId);
  await app.services.notifications.drain();
  const { body } = await live.client.get(`/v1/payments/${id}`);
  expect(body).toMatchObject({ status: 'completed', txid: charge.transactionId });
  await live.stop();
});
