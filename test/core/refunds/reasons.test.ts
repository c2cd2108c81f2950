import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };
const long = 'Produto devolvido '.repeat(20).slice(0, 255);

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
});

afterAll(() => app.stop());

/** Refunds a paid payment; returns the response and what the provider was told. */
async function refund(provider: string, define: DefinePsp, reason: string | undefined) {
  const live = await openLiveOrganization(app, () => new Date(), [provider, define]);
  const emulator = live.accounts[0]?.emulator as PspEmulator;
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  const charge = emulator.ledger.charges.at(-1);
  await emulator.pay(charge?.transactionId ?? '');
  await app.services.notifications.drain();
  const answer = await live.client.post(`/v1/payments/${body.id}/refunds`, { amount: 4, reason });
  await live.stop();
  return { answer, made: charge?.refunds[0] };
}

test.each<[string, DefinePsp]>([
  ['bacen', defineBacen()],
  ['woovi', woovi],
])('the payer reads at %s why they were refunded', async (provider, define) => {
  const { answer, made } = await refund(provider, define, 'Produto devolvido');
  expect(answer.body.reason).toBe('Produto devolvido');
  expect(made?.message).toBe('Produto devolvido');
});

test.each<[string, DefinePsp]>([
  ['bacen', defineBacen()],
  ['woovi', woovi],
])('%s is told what fits, and the whole is kept', async (provider, define) => {
  const { answer, made } = await refund(provider, define, long);
  expect(answer.body.reason).toBe(long.trim());
  expect(made?.message?.length).toBeLessThanOrEqual(140);
  expect(made?.message?.slice(0, 100)).toBe(long.slice(0, 100));
});

test('nothing is told without a reason', async () => {
  const { made } = await refund('bacen', defineBacen(), undefined);
  expect(made).toMatchObject({ amountInCents: 400n });
  expect(made).not.toHaveProperty('message');
});

test('at Asaas, the refund is known by our id alone', async () => {
  const { answer, made } = await refund('asaas', asaas, 'Produto devolvido');
  expect(answer.body).toMatchObject({ status: 'completed', reason: 'Produto devolvido' });
  expect(made?.refundId).toMatch(/^Reembolso [0-9a-f]{32}$/);
});

test('a reason that is too long is refused by its name', async () => {
  const { answer } = await refund('bacen', defineBacen(), 'x'.repeat(256));
  expect(answer.body).toMatchObject({ statusCode: 400, message: 'reason must be at most 255 characters' });
});
