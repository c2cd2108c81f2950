import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.stop());

const never = new Promise<never>(() => undefined);

/** Never answers about a paid charge, except with the charge itself. */
const silentAbout =
  (define: DefinePsp, details: RegExp): DefinePsp =>
  (ledger) => {
    const psp = define(ledger);
    const routes = psp.routes.map((route) => ({
      ...route,
      reply: (exchange: Parameters<typeof route.reply>[0]) =>
        exchange.method === 'GET' && details.test(exchange.path) ? never : route.reply(exchange),
    }));
    return { ...psp, routes };
  };

test.each([
  ['woovi', silentAbout(woovi, /\/refund$|\/transaction|\/dispute/)],
  ['asaas', silentAbout(asaas, /\/pix\/transactions/)],
])('money at %s is confirmed though its details never come', async (name, define) => {
  const live = await openLiveOrganization(app, () => new Date(), [name, define]);
  const payer = { name: 'Fulano de Tal', document: '529.982.247-25' };
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  const { emulator } = live.accounts[0] ?? {};
  await emulator?.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
  await eventually(async () =>
    expect((await live.client.get(`/v1/payments/${body.id}`)).body.status).toBe('completed'),
  );
  await live.stop();
});
