import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { type EmulatedInfraction, openInfraction } from '../../support/psp-emulator/bacen-infractions.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';

const hourMs = 3_600_000;
const statement = 'O pedido 8841 foi entregue e assinado pelo pagador.';
const pdf = { name: 'nota.pdf', content: Buffer.from('%PDF-1.7\nan invoice\n%%EOF').toString('base64') };

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let emulator: PspEmulator;

const pass = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};

interface Claimed {
  paymentId: string;
  infraction: EmulatedInfraction;
  /** Empty while the service knows none. */
  id: string;
}

interface View {
  id: string;
  paymentId: string;
}

const listOpen = async () => (await live.client.get('/v1/disputes?open=true')).body.data as View[];
const read = async (id: string) => (await live.client.get(`/v1/disputes/${id}`)).body;
const defend = (id: string, body: object = { statement }) =>
  live.client.post(`/v1/disputes/${id}/defence`, body);
const forceRefund = (paymentId: string) =>
  app.services.refunds.create(operatorFor(live.organizationId), paymentId, { force: true }, undefined);
const runDue = () => app.services.reconciliation.dispute(100);

/** Reads the list as if its hour had passed. */
async function sweep(): Promise<void> {
  await app.services.disputeSweeper.plan();
  await query(databaseUrl, 'UPDATE dispute_sweep SET next_check_at = $1', [clock]);
  await app.services.reconciliation.dispute_sweep(100);
}

/** Whoever takes a notification looks at its charge at once. */
const processed = () =>
  eventually(async () => {
    const [waiting] = await query<{ count: number }>(
      databaseUrl,
      'SELECT count(*)::int AS count FROM psp_notification WHERE processed_at IS NULL',
    );
    expect(waiting?.count).toBe(0);
  });

async function pay(amount = 20): Promise<{ paymentId: string; transactionId: string }> {
  const { body } = await live.client.post('/v1/payments', { amount });
  const transactionId = emulator.ledger.charges.at(-1)?.transactionId ?? '';
  await emulator.pay(transactionId);
  await processed();
  return { paymentId: body.id as string, transactionId };
}

async function claim(given: Partial<EmulatedInfraction> = {}): Promise<Claimed> {
  const { paymentId, transactionId } = await pay();
  const charge = emulator.ledger.find(transactionId);
  if (!charge) throw new Error('there is no charge');
  pass(1_000);
  const infraction = openInfraction(charge, {
    abertura: clock,
    prazoFinalizacao: new Date(clock.getTime() + 72 * hourMs),
    ...given,
  });
  pass(1_000);
  await sweep();
  const id = (await listOpen()).find((each) => each.paymentId === paymentId)?.id ?? '';
  return { paymentId, infraction, id };
}

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['bacen', defineBacen('efi')]);
  emulator = live.accounts[0]?.emulator as PspEmulator;
  await sweep();
});

afterEach(() => live.stop());
afterAll(() => app.stop());

describe('an infraction that Efí lists', () => {
  test('is an open dispute with its deadline, and nobody is named', async () => {
    const { id, paymentId, infraction } = await claim();
    expect(await read(id)).toMatchObject({
      paymentId,
      provider: 'bacen',
      amount: 20,
      reason: 'golpe',
      defenceUntil: infraction.prazoFinalizacao.toISOString(),
      answering: {
        defence: true,
        documents: 'none',
        acceptance: true,
        panelUrl: 'https://app.sejaefi.com.br',
      },
    });
    expect((await live.client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ disputed: true });
  });

  test('claims no more than the Pix, however its amount is written', async () => {
    const { id } = await claim({ valor: '2000' });
    expect(await read(id)).toMatchObject({ amount: 20 });
  });

  test('is told once, however often it is listed', async () => {
    await claim();
    await sweep();
    await sweep();
    const { body } = await live.client.get('/v1/events?limit=100');
    const told = (body.data as { type: string }[]).filter(({ type }) => type === 'payment_disputed');
    expect(told).toHaveLength(1);
  });

  test.each([
    ['ACEITA', 'lost'],
    ['REJEITADA', 'won'],
    ['CANCELADA_EFI', 'won'],
  ])('ends as %s: %s', async (status, state) => {
    const { id, infraction } = await claim();
    infraction.status = status;
    await sweep();
    expect(await read(id)).toMatchObject({ state });
    expect(await listOpen()).toEqual([]);
  });

  test('stays as it is while Efí says what nobody knows', async () => {
    const { id, infraction } = await claim();
    infraction.status = 'EM_RECURSO';
    await sweep();
    expect(await read(id)).toMatchObject({ state: 'open' });
  });

  test('is not told if it ended before anybody followed it', async () => {
    const { paymentId } = await claim({ status: 'REJEITADA', abertura: new Date(clock.getTime() - hourMs) });
    expect((await live.client.get('/v1/disputes')).body).toEqual({ data: [] });
    expect((await live.client.get(`/v1/payments/${paymentId}`)).body.disputed).toBeUndefined();
  });

  test('is recorded beside another whose state changes', async () => {
    const { id, paymentId, infraction } = await claim();
    const charge = emulator.ledger.charges.at(-1);
    if (!charge) throw new Error('there is no charge');
    openInfraction(charge, { abertura: clock, prazoFinalizacao: new Date(clock.getTime() + 24 * hourMs) });
    infraction.status = 'REJEITADA';
    pass(1_000);
    await sweep();
    expect(await read(id)).toMatchObject({ state: 'won' });
    expect(await listOpen()).toMatchObject([{ paymentId }]);
    expect((await live.client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ disputed: true });
  });

  test('of a Pix of another system is passed over, and so is one that cannot be read', async () => {
    const other = emulator.ledger.add({
      transactionId: 'f'.repeat(32),
      reference: 'f'.repeat(32),
      amountInCents: emulator.ledger.charges[0]?.amountInCents ?? (500n as never),
      expiresAt: clock,
    });
    emulator.ledger.pay(other);
    openInfraction(other, { abertura: clock, prazoFinalizacao: clock });
    const { id } = await claim();
    const charge = emulator.ledger.charges.at(-1);
    if (charge) openInfraction(charge, { valor: 'R$ 1', abertura: clock, prazoFinalizacao: clock });
    await sweep();
    expect(await listOpen()).toMatchObject([{ id }]);
  });

  test('is found on a later page', async () => {
    const { paymentId, transactionId } = await pay();
    const charge = emulator.ledger.find(transactionId);
    const other = emulator.ledger.add({
      transactionId: 'e'.repeat(32),
      reference: 'e'.repeat(32),
      amountInCents: charge?.amountInCents ?? (500n as never),
      expiresAt: clock,
    });
    emulator.ledger.pay(other);
    const at = { abertura: clock, prazoFinalizacao: new Date(clock.getTime() + 72 * hourMs) };
    for (let index = 0; index < 100; index++) openInfraction(other, at);
    if (charge) openInfraction(charge, at);
    pass(1_000);
    await sweep();
    expect(await listOpen()).toMatchObject([{ paymentId }]);
  });

  test('waits for its application to get the scope, while payments go on', async () => {
    emulator.switches.turn('noInfractions', true);
    const { paymentId, id } = await claim();
    expect(id).toBe('');
    expect((await live.client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ status: 'completed' });
    const [due] = await query<{ at: Date }>(
      databaseUrl,
      'SELECT next_check_at AS at FROM dispute_sweep WHERE organization_id = $1',
      [live.organizationId],
    );
    expect(due?.at.getTime()).toBeGreaterThan(clock.getTime());
    emulator.switches.turn('noInfractions', false);
    await sweep();
    expect(await listOpen()).toMatchObject([{ paymentId }]);
  });

  test('is listed again after a failure of Efí', async () => {
    emulator.faults.add({ kind: 'error', operation: 'list_disputes' });
    const { paymentId, id } = await claim();
    expect(id).toBe('');
    await sweep();
    expect(await listOpen()).toMatchObject([{ paymentId }]);
  });
});

describe('a defence that somebody gave in the panel of Efí', () => {
  test('is the answer, and nobody is reminded any more', async () => {
    const { id, infraction } = await claim();
    Object.assign(infraction, { status: 'EM_DEFESA', defesa: 'No painel', recebimentoDefesa: clock });
    await sweep();
    expect(await read(id)).toMatchObject({ state: 'open', answer: 'defence', answerStatus: 'sent' });
    expect(await read(id)).not.toHaveProperty('statement');
    pass(60 * hourMs);
    await runDue();
    const { body } = await live.client.get('/v1/events?limit=100');
    const types = (body.data as { type: string }[]).map(({ type }) => type);
    expect(types).not.toContain('payment_dispute_deadline');
  });

  test('moves neither the end of the dispute nor the 90 days', async () => {
    const { id, infraction } = await claim();
    infraction.status = 'REJEITADA';
    await sweep();
    const { closedAt } = await read(id);
    pass(50 * 24 * hourMs);
    infraction.prazoFinalizacao = new Date(clock.getTime() + 72 * hourMs);
    await sweep();
    expect(await read(id)).toMatchObject({ state: 'won', closedAt });
  });

  test('leaves ours as it was', async () => {
    const { id } = await claim();
    await defend(id);
    const before = await read(id);
    await sweep();
    expect(await read(id)).toEqual(before);
  });
});

describe('an answer to Efí', () => {
  test('is the statement, and that we reject the claim', async () => {
    const { id, infraction } = await claim();
    expect(await defend(id)).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
    expect(infraction).toMatchObject({ analise: 'rejeitado', defesa: statement, status: 'EM_DEFESA' });
    await sweep();
    expect(await read(id)).toMatchObject({ state: 'open', answer: 'defence' });
    infraction.status = 'REJEITADA';
    await sweep();
    expect(await read(id)).toMatchObject({ state: 'won' });
  });

  test('takes no documents', async () => {
    const { id } = await claim();
    expect(await defend(id, { statement, documents: [pdf] })).toMatchObject({
      status: 409,
      body: { message: 'The provider takes a statement only, no documents' },
    });
  });

  test('may accept the claim', async () => {
    const { id, infraction } = await claim();
    expect(await live.client.post(`/v1/disputes/${id}/accept`)).toMatchObject({ status: 200 });
    expect(infraction).toMatchObject({ analise: 'aceito' });
  });

  test('that accepts the claim keeps also owners from refunding', async () => {
    const { id, paymentId } = await claim();
    await live.client.post(`/v1/disputes/${id}/accept`);
    await expect(forceRefund(paymentId)).rejects.toMatchObject({ code: 'payment_disputed' });
    expect(emulator.requests.filter(({ operation }) => operation === 'refund')).toEqual([]);
  });

  test('gives nothing back that was given back already', async () => {
    const { id, paymentId, infraction } = await claim();
    await forceRefund(paymentId);
    for (const { refunds } of emulator.ledger.charges)
      for (const refund of refunds) refund.status = 'completed';
    pass(hourMs);
    await app.services.reconciliation.refund(100);
    expect(await live.client.post(`/v1/disputes/${id}/accept`)).toMatchObject({
      status: 409,
      body: { message: 'Everything that was paid has been given back already' },
    });
    expect(infraction.analise).toBeUndefined();
    expect(await defend(id)).toMatchObject({ status: 200 });
  });

  test('that was lost on its way is found at Efí, and sent no more', async () => {
    const { id, infraction } = await claim();
    emulator.faults.add({ kind: 'reset', operation: 'answer', isDone: true });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sent' } });
    expect(infraction).toMatchObject({ defesa: statement });
    expect(emulator.requests.filter(({ operation }) => operation === 'answer')).toHaveLength(1);
  });

  test('that was lost while Efí failed is sent by a worker, which no refusal of the repetition undoes', async () => {
    const { id, infraction } = await claim();
    emulator.faults.add({ kind: 'error', operation: 'answer', isDone: true });
    emulator.faults.add({ kind: 'error', operation: 'list_disputes' });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sending' } });
    pass(3 * 60_000);
    await runDue();
    expect(await read(id)).toMatchObject({ answerStatus: 'sent', statement });
    expect((await read(id)).answerRefusedAt).toBeUndefined();
    expect(infraction).toMatchObject({ defesa: statement });
  });

  test('that is on its way is not sent beside that, because the deadline moves', async () => {
    const { id, infraction } = await claim();
    emulator.faults.add({ kind: 'reset', operation: 'answer' });
    await defend(id);
    infraction.prazoFinalizacao = new Date(clock.getTime() + 90 * hourMs);
    await sweep();
    expect(await read(id)).toMatchObject({ defenceUntil: infraction.prazoFinalizacao.toISOString() });
    await runDue();
    expect(await read(id)).toMatchObject({ answerStatus: 'sending' });
    pass(3 * 60_000);
    await runDue();
    expect(await read(id)).toMatchObject({ answerStatus: 'sent' });
  });

  test('that a process did not come to send is sent by a worker', async () => {
    const { id, infraction } = await claim();
    emulator.faults.add({ kind: 'reset', operation: 'answer' });
    expect(await defend(id)).toMatchObject({ body: { answerStatus: 'sending' } });
    expect(infraction.defesa).toBeUndefined();
    pass(3 * 60_000);
    await runDue();
    expect(infraction).toMatchObject({ defesa: statement });
    expect(await read(id)).toMatchObject({ answerStatus: 'sent' });
  });

  test('that Efí refuses leaves the dispute open, to be answered again', async () => {
    const { id, infraction } = await claim();
    const { prazoFinalizacao } = infraction;
    infraction.prazoFinalizacao = clock;
    expect(await defend(id)).toMatchObject({ status: 409 });
    expect(await read(id)).toMatchObject({ state: 'open', answerRefusedAt: clock.toISOString() });
    infraction.prazoFinalizacao = prazoFinalizacao;
    expect(await defend(id)).toMatchObject({ status: 200, body: { answerStatus: 'sent' } });
  });

  test('that never arrived goes with its statement, and an empty one is sent of no dispute that is opened again', async () => {
    const { id, infraction } = await claim();
    emulator.faults.add({ kind: 'reset', operation: 'answer', times: 3 });
    await defend(id);
    emulator.faults.clear();
    infraction.status = 'REJEITADA';
    await sweep();
    await runDue();
    pass(91 * 24 * hourMs);
    await runDue();
    infraction.status = 'ABERTA';
    infraction.prazoFinalizacao = new Date(clock.getTime() + 72 * hourMs);
    await sweep();
    pass(300_000);
    await runDue();
    expect(infraction.defesa).toBeUndefined();
    expect(await read(id)).not.toHaveProperty('answer');
    expect(await defend(id)).toMatchObject({ status: 200 });
    expect(infraction.defesa).toBe(statement);
  });

  test('that gives money back and is refused is off the daily limit again', async () => {
    const { id, infraction } = await claim();
    const { prazoFinalizacao } = infraction;
    const counted = async () =>
      (
        await query<{ sum: string }>(
          databaseUrl,
          'SELECT coalesce(sum(amount_in_cents), 0) AS sum FROM refund_day WHERE organization_id = $1',
          [live.organizationId],
        )
      )[0]?.sum;
    infraction.prazoFinalizacao = clock;
    expect(await live.client.post(`/v1/disputes/${id}/accept`)).toMatchObject({ status: 409 });
    expect(await counted()).toBe('0');
    infraction.prazoFinalizacao = prazoFinalizacao;
    expect(await live.client.post(`/v1/disputes/${id}/accept`)).toMatchObject({ status: 200 });
    expect(await counted()).toBe('2000');
  });

  test('is refused if somebody has answered in the panel', async () => {
    const { id, infraction } = await claim();
    Object.assign(infraction, { status: 'EM_DEFESA', defesa: 'No painel', recebimentoDefesa: clock });
    expect(await defend(id)).toMatchObject({ status: 409 });
    expect(await read(id)).toMatchObject({ state: 'open', answerRefusedAt: clock.toISOString() });
  });

  test('names the scopes that the application lacks', async () => {
    const { id } = await claim();
    emulator.switches.turn('noInfractions', true);
    const { status, body } = await defend(id);
    expect(status).toBe(409);
    expect(body.message).toMatch(/disputes need the scopes gn\.infractions\.read and gn\.infractions\.write/);
  });
});
