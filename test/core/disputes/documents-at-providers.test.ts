import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../../support/psp-emulator/ledger.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import { documentationOf } from '../../support/psp-emulator/mercadopago-chargebacks.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { evidenceOf } from '../../support/psp-emulator/woovi-evidence.ts';

const hourMs = 3_600_000;
const statement = 'O pedido 8841 foi entregue e assinado pelo pagador.';
const invoice = '%PDF-1.7\nan invoice\n%%EOF';
const receipt = '%PDF-1.7\na receipt "signed"\n%%EOF';
const documents = [
  { name: 'nota "8841".pdf', content: Buffer.from(invoice).toString('base64') },
  { name: 'canhoto.pdf', content: Buffer.from(receipt).toString('base64') },
];
const payer = {
  name: 'Maria da Silva',
  document: '529.982.247-25',
  email: 'maria@example.com',
  phone: '+5511987654321',
};

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;

const pass = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};
const read = async (id: string) => (await live.client.get(`/v1/disputes/${id}`)).body;
const defend = (id: string, body: object = { statement, documents }) =>
  live.client.post(`/v1/disputes/${id}/defence`, body);
const runDue = () => app.services.reconciliation.dispute(100);

/** Whoever takes a notification looks at its charge at once. */
const processed = () =>
  eventually(async () => {
    const [waiting] = await query<{ count: number }>(
      databaseUrl,
      'SELECT count(*)::int AS count FROM psp_notification WHERE processed_at IS NULL',
    );
    expect(waiting?.count).toBe(0);
  });

async function open(provider: string, define: DefinePsp): Promise<void> {
  live = await openLiveOrganization(app, () => clock, [provider, define]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
}

/** Tells of the charge again, as its provider does when something has happened to it. */
async function tell(charge: EmulatedCharge): Promise<void> {
  const [pix] = charge.pix;
  if (!pix) throw new Error('nobody has paid');
  await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
  await processed();
}

async function claim(claimed: string, details: Record<string, unknown> = {}) {
  const { body } = await live.client.post('/v1/payments', { amount: 20, payer });
  const charge = emulator.ledger.charges.at(-1);
  if (!charge) throw new Error('there is no charge');
  await emulator.pay(charge.transactionId);
  await processed();
  pass(1_000);
  Object.assign(charge.details, details);
  emulator.switches.turn(claimed, true);
  await tell(charge);
  const { data } = (await live.client.get('/v1/disputes?open=true')).body as {
    data: { id: string; paymentId: string }[];
  };
  return { charge, id: data.find(({ paymentId }) => paymentId === body.id)?.id ?? '' };
}

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

afterEach(() => live.stop());
afterAll(() => app.stop());

describe('a defence at Woovi', () => {
  test('is its documents, the first with the statement, and its outcome follows', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    expect(await read(id)).toMatchObject({
      state: 'open',
      answering: { documents: 'required', acceptance: false, panelUrl: 'https://app.woovi.com' },
    });
    expect(await defend(id)).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
    const { documents: kept } = (await read(id)) as { documents: { id: string }[] };
    expect(evidenceOf(charge)).toMatchObject([
      {
        description: statement,
        correlationID: kept[0]?.id,
        file: { content: invoice, type: 'application/pdf' },
      },
      { description: 'canhoto.pdf', correlationID: kept[1]?.id, file: { content: receipt } },
    ]);
    emulator.switches.turn('disputes', false);
    await tell(charge);
    expect(await read(id)).toMatchObject({ state: 'won' });
  });

  test('has documents with names that fit what they are, whatever they were called', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    const content = Buffer.from(invoice).toString('base64');
    const names = ['dossiê', '../../nota.html', 'C:\\Docs\\NOTA.PDF', 'a\r\nX-Evil: 1', '..'];
    const named = names.map((name) => ({ name, content }));
    await defend(id, { statement, documents: named });
    expect(evidenceOf(charge).map(({ file }) => file.name)).toEqual([
      'dossiê.pdf',
      'nota.html.pdf',
      'NOTA.PDF',
      'a X-Evil: 1.pdf',
      'documento.pdf',
    ]);
    expect((await read(id)).documents).toMatchObject(names.map((name) => ({ name })));
  });

  test('is of no more than was paid, and won with it, whatever amount Woovi tells', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes', { claimedInCents: 99_999_900 });
    expect(await read(id)).toMatchObject({ amount: 20 });
    emulator.switches.turn('disputes', false);
    await tell(charge);
    expect(await read(id)).toMatchObject({ state: 'won' });
  });

  test('goes by the Pix where the dispute has no id of its own', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes', { hidesDisputeId: true });
    expect(await defend(id)).toMatchObject({ status: 200 });
    expect(evidenceOf(charge)).toHaveLength(2);
  });

  test('needs documents, and nothing can be accepted', async () => {
    await open('woovi', woovi);
    const { id } = await claim('disputes');
    expect(await defend(id, { statement })).toMatchObject({
      status: 409,
      body: { message: 'The provider takes no defence without documents' },
    });
    expect(await live.client.post(`/v1/disputes/${id}/accept`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('answer in its panel, https://app.woovi.com') as unknown },
    });
  });

  test('that was lost on its way is sent again, and arrives once', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    emulator.faults.add({ kind: 'reset', operation: 'answer', isDone: true });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sending' } });
    pass(3 * 60_000);
    await runDue();
    expect(await read(id)).toMatchObject({ answerStatus: 'sent' });
    expect(evidenceOf(charge)).toHaveLength(2);
  });

  test('that did not arrive before the dispute ended is sent once it is opened again', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    emulator.faults.add({ kind: 'reset', operation: 'answer' });
    await defend(id);
    emulator.switches.turn('disputes', false);
    await tell(charge);
    expect(await read(id)).toMatchObject({ state: 'won', answerStatus: 'sending' });
    emulator.switches.turn('disputes', true);
    await tell(charge);
    pass(3 * 60_000);
    await runDue();
    expect(await read(id)).toMatchObject({ state: 'open', answerStatus: 'sent' });
    expect(evidenceOf(charge)).toHaveLength(2);
  });

  test('goes after 90 days also where the dispute ended while it was sent', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    emulator.faults.add({ kind: 'slow', operation: 'answer', milliseconds: 3_000, isDone: true });
    const sending = defend(id);
    await eventually(() => {
      expect(evidenceOf(charge)).toHaveLength(2);
    });
    emulator.switches.turn('disputes', false);
    await tell(charge);
    await sending;
    await runDue();
    pass(91 * 24 * hourMs);
    await runDue();
    const after = await read(id);
    expect(after).toMatchObject({ answer: 'defence', documents: [] });
    expect(after).not.toHaveProperty('statement');
  });

  test('of a process that died once Woovi had it is kept when the request is repeated', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    const headers = { 'Idempotency-Key': 'defence-8841' };
    const send = () => live.client.post(`/v1/disputes/${id}/defence`, { statement, documents }, headers);
    emulator.faults.add({ kind: 'reset', operation: 'answer', isDone: true });
    expect(await send()).toMatchObject({ body: { answerStatus: 'sending' } });
    // As if it had died before it could say so.
    await query(
      databaseUrl,
      `UPDATE idempotency_key SET outcome = NULL, locked_until = now() - interval '1 minute' WHERE key = $1`,
      [headers['Idempotency-Key']],
    );
    expect(await send()).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
    expect(evidenceOf(charge)).toHaveLength(2);
  });

  test('that a worker has sent is kept where the process that stalled before it is refused', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    emulator.faults.add({ kind: 'slow', operation: 'upload', milliseconds: 3_000 });
    const stalled = defend(id);
    await eventually(() => {
      expect(emulator.requests.some(({ operation }) => operation === 'upload')).toBe(true);
    });
    pass(3 * 60_000);
    await runDue();
    expect(await read(id)).toMatchObject({ answerStatus: 'sent' });
    expect(await stalled).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
    expect(await read(id)).toMatchObject({ answer: 'defence', documents: [{}, {}] });
    expect(evidenceOf(charge)).toHaveLength(2);
  });

  test('goes on where the upload of a document failed', async () => {
    await open('woovi', woovi);
    const { id, charge } = await claim('disputes');
    emulator.faults.add({ kind: 'error', operation: 'upload', isDone: true });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sending' } });
    pass(3 * 60_000);
    await runDue();
    expect(evidenceOf(charge)).toMatchObject([
      { file: { content: invoice } },
      { file: { content: receipt } },
    ]);
  });

  test('is refused by an account that may not send files, and can be given again', async () => {
    await open('woovi', woovi);
    const { id } = await claim('disputes');
    emulator.switches.turn('noFileEvidence', true);
    const { status, body } = await defend(id);
    expect(status).toBe(409);
    expect(body.message).toContain('DISPUTE_EVIDENCE_FILE_ID_NOT_ALLOWED');
    expect(await read(id)).toMatchObject({
      state: 'open',
      answerRefusedAt: clock.toISOString(),
      documents: [],
    });
    emulator.switches.turn('noFileEvidence', false);
    expect(await defend(id)).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
  });
});

describe('a defence at Mercado Pago', () => {
  const openUntil = () => ({ documentationUntil: new Date(clock.getTime() + 72 * hourMs) });

  test('is its documents, by the deadline of the chargeback, and its outcome follows', async () => {
    await open('mercadopago', mercadopago);
    const until = openUntil();
    const { id, charge } = await claim('chargebacks', until);
    expect(await read(id)).toMatchObject({
      reason: 'fraud',
      defenceUntil: until.documentationUntil.toISOString(),
      answering: { documents: 'required', acceptance: false },
    });
    expect(await defend(id)).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
    expect(documentationOf(charge)).toMatchObject([
      { type: 'application/pdf', content: invoice },
      { description: `File: canhoto.pdf, Size: ${receipt.length}`, content: receipt },
    ]);
    emulator.switches.turn('chargebacks', false);
    await tell(charge);
    expect(await read(id)).toMatchObject({ state: 'won' });
  });

  test('that was lost on its way is found there, and sent no more', async () => {
    await open('mercadopago', mercadopago);
    const { id, charge } = await claim('chargebacks', openUntil());
    emulator.faults.add({ kind: 'reset', operation: 'answer', isDone: true });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sent' } });
    expect(documentationOf(charge)).toHaveLength(2);
    expect(emulator.requests.filter(({ operation }) => operation === 'answer')).toHaveLength(1);
  });

  test('that did not arrive is sent by a worker', async () => {
    await open('mercadopago', mercadopago);
    const { id, charge } = await claim('chargebacks', openUntil());
    emulator.faults.add({ kind: 'reset', operation: 'answer' });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sending' } });
    pass(3 * 60_000);
    await runDue();
    expect(await read(id)).toMatchObject({ answerStatus: 'sent' });
    expect(documentationOf(charge)).toHaveLength(2);
  });

  test('after the deadline there is refused, and the dispute stays open', async () => {
    await open('mercadopago', mercadopago);
    const { id, charge } = await claim('chargebacks');
    charge.details['documentationUntil'] = clock;
    expect(await defend(id)).toMatchObject({ status: 409 });
    expect(await read(id)).toMatchObject({ state: 'open', answerRefusedAt: clock.toISOString() });
  });

  test('is possible although the chargeback could not be seen at first', async () => {
    await open('mercadopago', mercadopago);
    emulator.faults.add({ kind: 'error', operation: 'other' });
    const { id, charge } = await claim('chargebacks', openUntil());
    expect(await read(id)).toMatchObject({ state: 'open' });
    expect((await read(id)).defenceUntil).toBeUndefined();
    expect(await defend(id)).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
    expect(documentationOf(charge)).toHaveLength(2);
  });
});

test('where no API takes an answer, a defence is refused with the address of the panel', async () => {
  await open('asaas', asaas);
  const { id } = await claim('chargebacks');
  expect(await read(id)).toMatchObject({ answering: { defence: false, panelUrl: 'https://www.asaas.com' } });
  expect(await defend(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('answer in its panel, https://www.asaas.com') as unknown },
  });
});
