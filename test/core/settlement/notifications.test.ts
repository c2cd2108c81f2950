import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
import { sentStatements } from '../../support/statements.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import { rawOf } from '../../support/psp-emulator/notifier.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';

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
  // Has no workers of its own: the tests run them.
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

afterEach(() => live.stop());

afterAll(() => app.stop());

describe("a notification that uses the provider's own charge id", () => {
  const unknown = (transactionId: string) => ({
    transactionId,
    reference: '1234567890',
    amountInCents: cents(100),
    expiresAt: clock,
  });
  const tell = async (transactionId: string, isKnown: boolean) => {
    const charge = emulator.ledger.add(unknown(transactionId));
    if (!isKnown) emulator.ledger.remove(...emulator.ledger.charges);
    const pix = { endToEndId: 'E1', amountInCents: charge.amountInCents, paidAt: clock };
    await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
    await app.services.notifications.drain();
  };

  test.each(['ORDER-1', 'a'.repeat(32)])(
    'is finished once the provider says that the charge belongs to another application: %s',
    async (externalReference) => {
      await open('mercadopago', mercadopago);
      await tell(externalReference, true);
      expect(questions()).toBe(1);
      expect(await stored()).toEqual({ done: 1, waiting: 0 });
    },
  );

  test('is retried for two minutes while the provider does not know the charge', async () => {
    await open('mercadopago', mercadopago);
    await tell('ORDER-1', false);
    expect(await stored()).toEqual({ done: 0, waiting: 1 });
    passMinutes(2.1);
    await process();
    expect(questions()).toBe(2);
    expect(await stored()).toEqual({ done: 1, waiting: 0 });
  });
});

describe('a notification for many charges', () => {
  const statuses = async () => {
    const rows = await query<{ status: string; count: number }>(
      databaseUrl,
      'SELECT status::text, count(*)::int FROM payment WHERE organization_id = $1 GROUP BY status',
      [live.organizationId],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };

  async function payAll(count: number, fault?: Parameters<PspEmulator['faults']['add']>[0]): Promise<void> {
    await open('bacen', defineBacen('standard'));
    for (let nth = 0; nth < count; nth++) await live.client.post('/v1/payments', { amount: 5 });
    const pix = [];
    for (const charge of emulator.ledger.charges) {
      await emulator.pay(charge.transactionId, { notify: 'never' });
      pix.push({ txid: charge.transactionId });
    }
    emulator.requests.length = 0;
    if (fault) emulator.faults.add(fault);
    const [charge] = emulator.ledger.charges;
    const [paid] = charge?.pix ?? [];
    if (!charge || !paid) throw new Error('nothing is paid');
    await emulator.notifier.send({
      ...emulator.psp.notificationOf(charge, paid),
      body: JSON.stringify({ pix }),
    });
    await app.services.notifications.drain();
  }

  test('is processed in one turn while its provider responds fast', async () => {
    // On a busy machine no provider does.
    await eventually(async () => {
      await payAll(10);
      const afterOneTurn = await statuses();
      await process();
      expect(questions()).toBe(10);
      expect(await stored()).toEqual({ done: 1, waiting: 0 });
      expect(afterOneTurn).toEqual({ completed: 10 });
    });
  });

  test('of a slow provider is processed in parts, and others have their turn in between', async () => {
    await payAll(10, { kind: 'slow', operation: 'find', milliseconds: 550, times: 10 });
    expect(await statuses()).toEqual({ completed: 4, pending: 6 });
    const { dueWork } = app.services;
    const slots = { limit: 10, slotsOf: () => 10 };
    const [first] = await dueWork.claim('psp_notification', slots);
    expect(await dueWork.run('psp_notification', first?.id ?? '')).toBe(true);
    expect(await statuses()).toEqual({ completed: 8, pending: 2 });
    const [again] = await dueWork.claim('psp_notification', slots);
    expect(again).toEqual(first);
    expect(await dueWork.run('psp_notification', again?.id ?? '')).toBe(false);
    expect(await statuses()).toEqual({ completed: 10 });
    expect(questions()).toBe(10);
    expect(await stored()).toEqual({ done: 1, waiting: 0 });
  });

  test('skips charges that are not ours at once', async () => {
    await payAll(1);
    const [charge] = emulator.ledger.charges;
    const [paid] = charge?.pix ?? [];
    if (!charge || !paid) throw new Error('nothing is paid');
    const strangers = Array.from({ length: 2_000 }, () => ({ txid: randomUUID().replaceAll('-', '') }));
    await emulator.notifier.send({
      ...emulator.psp.notificationOf(charge, paid),
      body: JSON.stringify({ pix: [...strangers, { txid: charge.transactionId }] }),
    });
    await app.services.notifications.drain();
    expect(await stored()).toEqual({ done: 2, waiting: 0 });
    expect(questions()).toBe(2);
  });

  test('retries only those on which its provider did not respond', async () => {
    await payAll(6, { kind: 'error', operation: 'find', times: 1 });
    await process();
    expect(await statuses()).toEqual({ completed: 5, pending: 1 });
    expect(await stored()).toEqual({ done: 0, waiting: 1 });
    passMinutes(1);
    await process();
    expect(await statuses()).toEqual({ completed: 6 });
    expect(questions()).toBe(7);
    expect(await stored()).toEqual({ done: 1, waiting: 0 });
  });
});

test.each([
  [1, 1],
  [1, 5_000],
  [50, 1],
])(
  '%i notifications of %i recurrences that are not ours cost a few statements and no question',
  async (sent, named) => {
    await open('bacen', defineBacen('standard'));
    const token = emulator.notifier.address?.split('/').at(-1) ?? '';
    const recs = Array.from({ length: named }, (_, index) => ({
      idRec: `RR99999999202601${String(index).padStart(13, '0')}`,
      status: 'APROVADA',
      atualizacao: [],
    }));
    const raw = {
      headers: {},
      query: new URLSearchParams(),
      body: Buffer.from(JSON.stringify({ recs })),
      hasTrustedCertificate: false,
    };
    const statements = await sentStatements(async () => {
      for (let each = 0; each < sent; each++) await app.services.notifications.receive('bacen', token, raw);
      await app.services.notifications.drain();
    }, databaseUrl);
    expect(await stored()).toEqual({ done: sent, waiting: 0 });
    expect(emulator.requests).toEqual([]);
    expect(statements.length).toBeLessThanOrEqual(6 * sent + 1);
  },
);

test('a provider that repeats all its notifications at once delays no create, and all of them are stored', async () => {
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
