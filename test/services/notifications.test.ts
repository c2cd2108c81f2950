import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../src/domain/money.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import type { PspEmulator } from '../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../support/psp-emulator/ledger.ts';
import { mercadopago } from '../support/psp-emulator/mercadopago.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;

const passMinutes = (minutes: number): void => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

async function open(provider: string, define: DefinePsp): Promise<void> {
  live = await openLiveOrganization(app, () => clock, [provider, define]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
}

const process = () => app.services.reconciliation.psp_notification(1_000);

const questions = () => emulator.requests.filter(({ operation }) => operation === 'find').length;

async function stored(): Promise<{ done: number; waiting: number }> {
  const [row] = await query<{ done: number; waiting: number }>(
    databaseUrl,
    `SELECT count(processed_at)::int AS done, count(next_check_at)::int AS waiting
     FROM psp_notification WHERE credential_id = $1`,
    [live.accounts[0]?.credentialId],
  );
  return row ?? { done: 0, waiting: 0 };
}

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  // Without workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

afterEach(() => live.stop());

afterAll(() => app.stop());

describe('a notification by the name that the provider gave the charge', () => {
  const unknown = (transactionId: string) => ({
    transactionId,
    reference: '1234567890',
    amountInCents: cents(100),
    expiresAt: clock,
  });
  const tell = async (transactionId: string, isKnown: boolean) => {
    const charge = emulator.ledger.add(unknown(transactionId));
    if (!isKnown) emulator.ledger.charges.length = 0;
    const pix = { endToEndId: 'E1', amountInCents: charge.amountInCents, paidAt: clock };
    await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
    await app.services.notifications.drain();
  };

  test.each(['ORDER-1', 'a'.repeat(32)])(
    'is done with once the provider says that the charge is another application’s: %s',
    async (externalReference) => {
      await open('mercadopago', mercadopago);
      await tell(externalReference, true);
      expect(questions()).toBe(1);
      expect(await stored()).toEqual({ done: 1, waiting: 0 });
    },
  );

  test('is asked about for two minutes while the provider does not know the charge', async () => {
    await open('mercadopago', mercadopago);
    await tell('ORDER-1', false);
    expect(await stored()).toEqual({ done: 0, waiting: 1 });
    passMinutes(2.1);
    await process();
    expect(questions()).toBe(2);
    expect(await stored()).toEqual({ done: 1, waiting: 0 });
  });
});

test('a provider that repeats all its notifications at once holds up no create, and all of them are kept', async () => {
  await open('mercadopago', mercadopago);
  const create = () =>
    live.client.post('/v1/payments', { amount: 5, payer: { email: 'fulano@example.com' } });
  await create();
  const charge = emulator.ledger.charges[0] as EmulatedCharge;
  const raw = rawOf(emulator.psp.notificationOf(charge, emulator.ledger.pay(charge)));
  const token = emulator.notifier.address?.split('/').at(-1) ?? '';
  emulator.faults.add({ kind: 'hang', operation: 'find', times: 1_000 });
  await Promise.all(
    Array.from({ length: 150 }, () => app.services.notifications.receive('mercadopago', token, raw)),
  );
  await eventually(() => {
    expect(questions()).toBe(16);
  });
  expect((await create()).status).toBe(201);
  expect(await stored()).toEqual({ done: 0, waiting: 150 });
});
