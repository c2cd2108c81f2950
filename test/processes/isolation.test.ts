import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { mercadopago } from '../support/psp-emulator/mercadopago.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';

/** More than one credential may have at its PSP at once, so that some wait for a place. */
const hangingCreates = 50;
const healthyCreates = 50;

const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };

let app: TestApp;
let live: LiveOrganization;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

afterEach(() => live.stop());

afterAll(() => app.stop());

async function open(...accounts: [provider: string, define: DefinePsp][]) {
  live = await openLiveOrganization(app, () => new Date(), ...accounts);
  const [hanging, healthy] = live.accounts;
  if (!hanging || !healthy) throw new Error('both accounts are needed');
  const create = (credentialId: string) =>
    live.client.post('/v1/payments', { amount: 5, payer, credentialId });
  return { hanging, healthy, create };
}

test.each<[name: string, healthy: [provider: string, define: DefinePsp]]>([
  ['another provider', ['mercadopago', mercadopago]],
  ['the same provider', ['woovi', woovi]],
])(
  'while creates with one credential hang, those with one of %s succeed at once',
  async (_name, healthyAccount) => {
    const { hanging, healthy, create } = await open(['woovi', woovi], healthyAccount);
    hanging.emulator.faults.add({ kind: 'hang', times: 1_000 });
    let answered = 0;
    const hung = Array.from({ length: hangingCreates }, async () => {
      const { status } = await create(hanging.credentialId);
      answered += 1;
      return status;
    });
    await eventually(() => expect(hanging.emulator.requests.length).toBeGreaterThanOrEqual(32));

    const created = await Promise.all(
      Array.from({ length: healthyCreates }, () => create(healthy.credentialId)),
    );
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
    // One that waited for the PSP that hangs would come after the first of those, which give up after six seconds.
    expect(answered).toBe(0);

    // Its connections are cut, and nobody has to wait for it any longer.
    await hanging.emulator.refuseConnections();
    expect(new Set(await Promise.all(hung))).toEqual(new Set([500]));
  },
);

test('a hanging credential has a bounded number of requests at its PSP', async () => {
  const { hanging, healthy, create } = await open(['woovi', woovi], ['woovi', woovi]);
  hanging.emulator.faults.add({ kind: 'hang', times: 1_000 });
  const hung = Array.from({ length: 150 }, () => create(hanging.credentialId));
  // Those that find no place to wait are refused before any other is.
  const first = await Promise.race(hung);
  expect(first).toMatchObject({ status: 500, body: { error: 'InternalError' } });
  expect(hanging.emulator.requests.length).toBeLessThanOrEqual(32);
  expect(await create(healthy.credentialId)).toMatchObject({ status: 201 });
  await hanging.emulator.refuseConnections();
  await Promise.all(hung);
});
