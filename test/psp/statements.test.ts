import { describe, expect, test } from '@jest/globals';
import { windowOfDay } from '../../src/core/books/rules/import-schedule.ts';
import { cents } from '../../src/core/base/money.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import type {
  StatementPage,
  StatementPix,
  UnreadableItem,
} from '../../src/core/providers/rules/psp-lists.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
import { mercadopago } from '../../src/psp/mercadopago/adapter.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { woovi } from '../../src/psp/woovi/adapter.ts';
import { asaas as emulatedAsaas } from '../support/psp-emulator/asaas.ts';
import { mercadopago as emulatedMercadoPago } from '../support/psp-emulator/mercadopago.ts';
import type { NewCharge } from '../support/psp-emulator/ledger.ts';
import { adapterWith } from './bacen-setup.ts';
import { failureOf, newHexId, openSubject, soon, type Subject } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

const day = '2026-11-20';
const window = windowOfDay(day);

const connected = (provider: PspProvider, settings: object, reply: (asked: string) => unknown): PspAdapter =>
  provider.connect(
    parseSettings(provider, settings),
    fakeTools((asked) => ({ json: reply(asked) })),
  );
const asaasWith = (reply: (asked: string) => unknown) =>
  connected(asaas, { apiKey: 'key', webhookToken: 't'.repeat(32) }, reply);
const mercadoPagoWith = (reply: (asked: string) => unknown) =>
  connected(mercadopago, { accessToken: 'token', webhookSecret: 'secret' }, reply);
const wooviWith = (reply: (asked: string) => unknown) => connected(woovi, { appId: 'app' }, reply);

const read = ({ listStatement }: PspAdapter, cursor: string | null = null): Promise<StatementPage> =>
  listStatement?.(window, cursor, soon()) ?? Promise.reject(new Error('lists no statement'));
const sweep = ({ listReceived }: PspAdapter) =>
  listReceived?.({ ...window, bookmark: null }, null, soon()) ?? Promise.reject(new Error('lists nothing'));

const unread = (reference: string, member: string): UnreadableItem => ({
  reference,
  endToEndId: null,
  receivedAt: null,
  members: [member],
});

/** A charge of somebody else's for each Pix. */
function receiveAt(
  { emulator: { ledger } }: Subject,
  times: readonly Date[],
  changes: Partial<NewCharge> = {},
) {
  for (const [index, at] of times.entries()) {
    const named = { transactionId: newHexId(), reference: String(1e10 + index), ...changes };
    const charge = ledger.add({ ...named, amountInCents: cents(7_77), expiresAt: window.until });
    ledger.pay(charge).paidAt = at;
  }
}

describe('a page that does not say whether more follow is not the last one', () => {
  const pix = { endToEndId: `E${'1'.repeat(31)}`, valor: '1.00', horario: '2026-11-20T12:00:00Z' };
  test.each<[string, PspAdapter]>([
    ['the API Pix', adapterWith(() => ({ json: { pix: [pix] } }))],
    ['the API Pix, without members', adapterWith(() => ({ json: {} }))],
    ['Mercado Pago', mercadoPagoWith(() => ({ results: [] }))],
    ['Woovi', wooviWith(() => ({ transactions: [] }))],
    ['Asaas', asaasWith(() => ({ data: [] }))],
  ])('at %s', async (_, adapter) => {
    expect(await failureOf(read(adapter))).toMatchObject({ failure: 'unknown' });
    expect(await failureOf(sweep(adapter))).toMatchObject({ failure: 'unknown' });
  });
});

describe('of a bank', () => {
  const pixOf = (index: number, changes: object = {}) => ({
    endToEndId: `E${String(index).padStart(31, '0')}`,
    valor: '10.00',
    horario: '2026-11-20T12:00:00.000Z',
    ...changes,
  });
  const pageOf = (pix: readonly object[], quantidadeDePaginas: number, quantidadeTotalDeItens?: number) => ({
    json: { parametros: { paginacao: { quantidadeDePaginas, quantidadeTotalDeItens } }, pix },
  });

  test.each<[string, object, { returnedInCents: bigint; reversedInCents: bigint }]>([
    ['under way', { status: 'EM_PROCESSAMENTO' }, { returnedInCents: 0n, reversedInCents: 0n }],
    ['refused', { status: 'NAO_REALIZADO' }, { returnedInCents: 0n, reversedInCents: 0n }],
    ['of a word that nobody knows', { status: 'SUSPENSO' }, { returnedInCents: 0n, reversedInCents: 0n }],
    ['made', { status: 'DEVOLVIDO' }, { returnedInCents: 400n, reversedInCents: 0n }],
    [
      'made by MED',
      { status: 'DEVOLVIDO', natureza: 'MED_FRAUDE' },
      { returnedInCents: 400n, reversedInCents: 400n },
    ],
  ])('a return %s counts as what it is', async (_, devolucao, sums) => {
    const devolucoes = [{ id: 'd1', valor: '4.00', ...devolucao }];
    const adapter = adapterWith(() => pageOf([pixOf(1, { devolucoes })], 1, 1));
    expect((await read(adapter)).pix).toMatchObject([sums]);
  });

  test.each<[string, number, number | undefined, boolean]>([
    ['more than it lists', 1, 3, true],
    ['fewer than it lists', 1, 1, true],
    ['what it lists', 1, 2, false],
    ['nothing', 1, undefined, false],
    ['no page', 0, 2, false],
  ])('a list that counts %s', async (_, pages, total, hasChanged) => {
    const page = await read(adapterWith(() => pageOf([pixOf(1), pixOf(2)], pages, total)));
    expect(page).toMatchObject({ hasChanged, nextCursor: null });
  });

  test('an empty page in the middle of a list is no end of it', async () => {
    const adapter = adapterWith((asked) => pageOf(asked.includes('paginaAtual') ? [] : [pixOf(1)], 3, 3));
    const { nextCursor } = await read(adapter);
    expect(await read(adapter, nextCursor)).toMatchObject({ hasChanged: true });
  });

  test('the day asked for is that of Brasília', async () => {
    let asked = '';
    await read(
      adapterWith((each) => {
        asked = each;
        return pageOf([], 0, 0);
      }),
    );
    const query = new URL(asked.split(' ')[1] ?? '', 'http://bank').searchParams;
    expect([query.get('inicio'), query.get('fim')]).toEqual(['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z']);
  });
});

describe('of Asaas', () => {
  const payment = (changes: object) => ({
    id: 'pay_1',
    status: 'RECEIVED',
    value: 10,
    netValue: 9.01,
    dueDate: day,
    paymentDate: day,
    ...changes,
  });
  const listing = (data: readonly object[], lines: readonly object[] = []) =>
    asaasWith((asked) => {
      const shown = asked.includes('financialTransactions') ? lines : data;
      return { data: shown, hasMore: false, totalCount: shown.length };
    });

  test.each<[string, object, object]>([
    ['received', {}, { returnedInCents: 0n, reversedInCents: 0n, feeInCents: 99n }],
    [
      'given back',
      { status: 'REFUNDED', refunds: [{ status: 'DONE', value: 10 }] },
      { returnedInCents: 1000n, reversedInCents: 0n },
    ],
    [
      'charged back and lost',
      { status: 'REFUNDED', chargeback: { status: 'DONE' } },
      { returnedInCents: 1000n, reversedInCents: 1000n },
    ],
    ['in dispute', { status: 'CHARGEBACK_REQUESTED' }, { returnedInCents: 0n, reversedInCents: 0n }],
    ['without a fee', { netValue: null }, { feeInCents: null }],
  ])('a payment that is %s is listed so', async (_, changes, expected) => {
    const { pix } = await read(listing([payment(changes)]));
    expect(pix).toMatchObject([{ reference: 'pay_1', amountInCents: 1000n, ...expected }]);
  });

  test.each(['CONFIRMED', 'RECEIVED_IN_CASH', 'OVERDUE'])(
    'one that is %s is no money received',
    async (status) => {
      expect((await read(listing([payment({ status })]))).pix).toEqual([]);
    },
  );

  test('a payment or line that cannot be read, as of a status that nobody knows, does not hide the others', async () => {
    const odd = payment({ id: 'pay_2', status: 'HELD' });
    const line = { id: 'ftn_3', type: 'PIX_TRANSACTION_CREDIT', value: 10, date: day };
    const adapter = listing([odd, payment({})], [{ ...line, id: 'ftn_4', value: 'ten' }, line]);
    const payments = await read(adapter);
    expect(payments.unreadable).toEqual([unread('pay_2', 'status')]);
    expect(payments.pix).toMatchObject([{ reference: 'pay_1' }]);
    const lines = await read(adapter, payments.nextCursor);
    expect(lines.unreadable).toEqual([unread('ftn_4', 'value')]);
    expect(lines.pix).toMatchObject([{ reference: 'ftn_3' }]);
  });

  test('a Pix without a payment is a line of the statement', async () => {
    const subject = await openSubject(asaas, emulatedAsaas);
    try {
      receiveAt(subject, [window.since], { reference: 'pay_2', details: { isWithoutPayment: true } });
      receiveAt(subject, [window.since], { reference: 'pay_3' });
      const first = await read(subject.adapter);
      expect(first.pix).toMatchObject([{ reference: 'pay_3' }]);
      const second = await read(subject.adapter, first.nextCursor);
      expect(second).toMatchObject({ nextCursor: null, hasChanged: false });
      const unnamed = { transactionId: null, reference: null };
      expect(second.pix).toMatchObject([{ amountInCents: 777n, returnedInCents: null, charge: unnamed }]);
    } finally {
      await subject.stop();
    }
  });
});

describe('of Mercado Pago', () => {
  const payment = (changes: object) => ({
    id: 1,
    status: 'approved',
    payment_method_id: 'pix',
    transaction_amount: 10,
    date_created: '2026-11-20T10:00:00.000-04:00',
    date_approved: '2026-11-20T10:00:00.000-04:00',
    ...changes,
  });
  const listing = (...results: object[]) =>
    mercadoPagoWith(() => ({ paging: { total: results.length }, results }));

  test.each<[string, object, object]>([
    ['approved', {}, { returnedInCents: 0n, reversedInCents: 0n, feeInCents: null }],
    [
      'given back in part',
      {
        transaction_amount_refunded: 3,
        refunds: [{ id: 7, amount: 3, status: 'approved' }],
        fee_details: [
          { amount: 0.1, fee_payer: 'collector' },
          { amount: 5, fee_payer: 'payer' },
        ],
      },
      { returnedInCents: 300n, reversedInCents: 0n, feeInCents: 10n },
    ],
    [
      'charged back',
      { status: 'charged_back', status_detail: 'settled' },
      { returnedInCents: 1000n, reversedInCents: 1000n },
    ],
    [
      'charged back and reimbursed',
      { status: 'charged_back', status_detail: 'reimbursed' },
      { returnedInCents: 0n, reversedInCents: 0n },
    ],
    ['in mediation', { status: 'in_mediation' }, { returnedInCents: 0n, reversedInCents: 0n }],
  ])('a payment that is %s is listed so', async (_, changes, expected) => {
    const { pix } = await read(listing(payment(changes)));
    expect(pix).toMatchObject([{ reference: '1', amountInCents: 1000n, ...expected }]);
  });

  test('a payment by card is no Pix', async () => {
    const card = payment({ id: 2, payment_method_id: 'visa', status: 'anything', transaction_amount: 1.005 });
    expect((await read(listing(card, payment({})))).pix).toHaveLength(1);
  });

  test('a payment that cannot be read, as of a status that nobody knows, does not hide the others', async () => {
    const odd = payment({ id: 2, status: 'held' });
    const next = payment({ id: 3, status: 'held', date_approved: window.until.toISOString() });
    const page = await read(listing(odd, payment({}), next));
    const receivedAt = new Date(odd.date_approved);
    expect(page).toMatchObject({ pix: [{ reference: '1' }], hasChanged: false, nextCursor: null });
    // The one of the very end belongs to the next day.
    expect(page.unreadable).toEqual([{ ...unread('2', 'status'), receivedAt }]);
  });

  test('a day of more payments than a search reaches is read in parts, each Pix once', async () => {
    const subject = await openSubject(mercadopago, emulatedMercadoPago);
    try {
      const count = 1_300;
      // Most within minutes, and some where a part ends.
      const noon = window.since.getTime() + 43_200_000;
      const at = Array.from({ length: count }, (_, index) => new Date(noon + (index - 5) * 200));
      receiveAt(subject, [...at, window.since, new Date(window.until.getTime() - 1)]);
      const all: StatementPix[] = [];
      let cursor: string | null = null;
      do {
        const page: StatementPage = await read(subject.adapter, cursor);
        expect(page.hasChanged).toBe(false);
        all.push(...page.pix);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(all).toHaveLength(count + 2);
      expect(new Set(all.map(({ reference }) => reference)).size).toBe(count + 2);
      expect(subject.emulator.requests.length).toBeLessThan(60);
    } finally {
      await subject.stop();
    }
  });
});
