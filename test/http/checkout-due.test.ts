import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { createKey } from '../support/factories.ts';

let app: TestApp;
let client: Client;
let clock: Date;

/** 12:00 in São Paulo. */
const noonOf = (day: string): Date => new Date(`${day}T15:00:00Z`);

beforeAll(async () => {
  clock = noonOf('2026-12-01');
  app = await startTestApp(
    { DATABASE_URL: await freshDatabase(), ROLE: 'api', PUBLIC_URL: 'https://pay.example.com' },
    { now: () => clock },
  );
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
});

afterAll(() => app.stop());

beforeEach(() => {
  clock = noonOf('2026-12-01');
});

/** Due on a Thursday; the discount ends on a Saturday. */
const terms = {
  date: '2026-12-10',
  fine: { percent: 2 },
  interest: { percentPerMonth: 1 },
  discounts: [{ until: '2026-12-05', amount: 10 }],
  rebate: { amount: 5 },
};

const payer = { name: 'João Souza', document: '529.982.247-25' };

async function create(due: object = terms): Promise<{ id: string; path: string }> {
  const { body } = await client.post('/v1/payments', { amount: 105, payer, due });
  return { id: body.id, path: new URL(body.checkoutUrl).pathname };
}

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.baseUrl + path, { headers });
  const page = (await response.text()).replaceAll('\u00a0', ' ');
  return {
    status: response.status,
    page,
    amount: /<p class="amount">(?:<span[^>]*>[^<]*<\/span>)?([^<]*)/.exec(page)?.[1],
    lines: [...page.matchAll(/<li>\s*([^<]*?)\s*<\/li>/g)].map(([, line]) => String(line)),
    version: /data-version="([^"]*)"/.exec(page)?.[1] ?? '',
  };
}

describe('the checkout page says', () => {
  const hint = { 'pt-BR': 'Entre 20h e 6h, o limite do Pix', en: 'Between 20:00 and 6:00, Pix limits' };

  test.each([
    ['2026-12-01T22:59:59Z', '19:59', false],
    ['2026-12-01T23:00:00Z', '20:00', true],
    ['2026-12-02T08:59:59Z', '5:59', true],
    ['2026-12-02T09:00:00Z', '6:00', false],
  ])('at %s, %s in São Paulo, that limits are lower: %s', async (instant, _time, isSaid) => {
    const { path } = await create();
    clock = new Date(instant);
    for (const [language, text] of Object.entries(hint)) {
      const { page } = await read(path, { 'Accept-Language': language });
      expect(page.includes(text)).toBe(isSaid);
    }
  });

  test('nothing of limits once it is paid', async () => {
    const { id, path } = await create();
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    clock = new Date('2026-12-01T23:30:00Z');
    expect((await read(path)).page).not.toContain(hint['pt-BR']);
  });
});

describe('the checkout page of a payment with a due date', () => {
  test.each([
    ['2026-12-01', 'R$ 90,00', 'Vencimento: 10/12/2026', 'Até 07/12/2026: R$ 90,00 · depois: R$ 100,00'],
    ['2026-12-07', 'R$ 90,00', 'Vencimento: 10/12/2026', 'Hoje: R$ 90,00 · amanhã: R$ 100,00'],
    ['2026-12-08', 'R$ 100,00', 'Vencimento: 10/12/2026', 'Até 10/12/2026: R$ 100,00 · depois: R$ 102,03'],
    ['2026-12-20', 'R$ 102,33', 'Venceu em 10/12/2026', 'Hoje: R$ 102,33 · amanhã: R$ 102,37'],
  ])('asks on %s for %s', async (day, owed, due, next) => {
    const { path } = await create();
    clock = noonOf(day);
    const { page, amount, lines } = await read(path);
    expect(amount).toBe(owed);
    expect(lines.slice(0, 3)).toEqual([due, next, 'Último dia para pagar: 11/01/2027']);
    expect(page).toContain('O valor final é o que o seu banco mostrar.');
    expect(page).not.toMatch(/id="left"|Pague até/);
  });

  test('says nothing of a next amount where there is none, and that a date on a weekend moves', async () => {
    const { path } = await create({ date: '2026-12-12', payableDaysAfter: 0 });
    const { lines } = await read(path, { 'Accept-Language': 'en' });
    expect(lines.slice(0, 2)).toEqual([
      'Due on Dec 12, 2026, moved to Dec 14, 2026 (business day)',
      'Last day to pay: Dec 14, 2026',
    ]);
  });

  test('is another one the day after, for whoever has it open', async () => {
    const { path } = await create();
    clock = noonOf('2026-12-07');
    const { version } = await read(path);
    clock = noonOf('2026-12-08');
    const { status, amount } = await read(`${path}/changes?after=${version}`);
    expect([status, amount]).toEqual([200, 'R$ 100,00']);
  });

  test('says once it is paid what was paid, and what that consists of', async () => {
    const { id, path } = await create();
    clock = noonOf('2026-12-20');
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    const { page, amount } = await read(path);
    expect(amount).toBe('R$ 102,33');
    const [, parts = ''] = /<dl class="parts">([^]*?)<\/dl>/.exec(page) ?? [];
    expect(
      parts
        .replaceAll(/<[^>]*>|\s+/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim(),
    ).toBe('Valor original R$ 105,00 Abatimento − R$ 5,00 Multa + R$ 2,00 Juros + R$ 0,33');
    expect(page).not.toContain('Valor estimado');
  });
});
