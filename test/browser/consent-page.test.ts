import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startChromium } from '../support/chromium.ts';
import { type Client, createClient } from '../support/client.ts';
import { expectAccessible, expectCount } from '../support/dashboard.ts';
import { createKey } from '../support/factories.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

let app: TestApp;
let client: Client;
let browser: Browser;
const pages: Page[] = [];

beforeAll(async () => {
  app = await startTestApp();
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
  browser = await startChromium();
});

afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
});

afterAll(async () => {
  await browser.close();
  await app.stop();
});

interface Made {
  id: string;
  checkoutUrl: string;
  pixCopyPaste: string;
}

const terms = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  description: 'Plano Ouro',
  amount: 35,
  frequency: 'monthly',
  startDate: '2034-12-01',
  authorization: 'qr',
};

async function create(input: object = {}): Promise<Made> {
  const made = await client.post('/v1/recurrences', { ...terms, ...input });
  expect(made).toMatchObject({ status: 201 });
  return made.body;
}

const act = async ({ id }: Made, what: 'approve' | 'reject' | 'revoke') =>
  expect(await client.post(`/v1/sandbox/recurrences/${id}/${what}`)).toMatchObject({ status: 200 });

const pathOf = ({ checkoutUrl }: Made): string => new URL(checkoutUrl).pathname;

async function open(made: Made, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: phone, ...options });
  const page = await context.newPage();
  pages.push(page);
  await page.goto(app.baseUrl + pathOf(made));
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe('the address', () => {
  test('is there only while the recurrence can be permitted', async () => {
    const made = await create();
    expect((await client.get(`/v1/recurrences/${made.id}`)).body).toMatchObject({
      checkoutUrl: made.checkoutUrl,
    });
    await act(made, 'approve');
    expect((await client.get(`/v1/recurrences/${made.id}`)).body).not.toHaveProperty('checkoutUrl');
  });

  test('opens no page of another kind, nor with another signature', async () => {
    const token = pathOf(await create()).replace('/pay/r/', '');
    const forged = token.slice(0, -3) + (token.endsWith('AAA') ? 'BBA' : 'AAA');
    for (const path of [`/pay/${token}`, `/pay/l/${token}`, `/pay/r/${forged}`, `/pay/r/${forged}/changes`])
      expect({ path, status: (await fetch(app.baseUrl + path)).status }).toEqual({ path, status: 404 });
  });
});

test('a payer reads what they permit, and nothing of themselves', async () => {
  const made = await create({ endDate: '2035-12-01', retries: 'three_in_seven_days' });
  const page = await open(made);
  await heading(page, 'Autorize o Pix Automático').waitFor();
  const text = await page.locator('main').innerText();
  for (const said of [
    'Plano Ouro',
    'Todo mês',
    '01/12/2034',
    '01/12/2035',
    'Até três novas tentativas',
    'no app do seu banco',
  ])
    expect(text).toContain(said);
  expect(text).toMatch(/R\$\s35,00/);
  const source = await page.content();
  for (const secret of ['Fulano', '52998224725', '529.982', '63100862']) expect(source).not.toContain(secret);
  expect(await page.getByLabel('Pix copia e cola').inputValue()).toBe(made.pixCopyPaste);
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('an amount that varies, and what is paid at once, are told in English too', async () => {
  const varying = { amount: undefined, minimumAmount: 20, frequency: 'quarterly' };
  const first = { authorization: 'qr_with_payment', firstPayment: { amount: 12.5 } };
  const page = await open(await create({ ...varying, ...first }), { locale: 'en-US', viewport: desktop });
  const text = await page.locator('main').innerText();
  for (const said of [
    'Authorize Pix Automático',
    'Varies with each debit',
    'at least R$20.00',
    'R$12.50, paid when you authorize',
    'Every three months',
    'Dec 1, 2034',
    'No end date',
    'It is not tried again.',
  ])
    expect(text).toContain(said);
});

test('an offer says that it can be paid without permitting anything', async () => {
  const due = { date: '2034-11-20', payableDaysAfter: 0 };
  const page = await open(await create({ authorization: 'offer', firstPayment: { amount: 80, due } }));
  await page.getByText('você pode pagar sem autorizar os débitos').waitFor();
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
});

test('a payer whose bank asks them is sent there, and sees no code', async () => {
  const payerAccount = { ispb: '91193552', account: '550689' };
  const page = await open(await create({ authorization: 'push', payerAccount }));
  await page.getByText('O pedido está no app do seu banco').waitFor();
  expect(await page.getByLabel('Pix copia e cola').count()).toBe(0);
  expect(await page.content()).not.toContain('550689');
});

test.each([
  ['approve', 'Autorização confirmada'],
  ['reject', 'Autorização recusada'],
] as const)('the page sees by itself what the payer answers: %s', async (answer, name) => {
  const made = await create();
  const page = await open(made);
  await act(made, answer);
  await heading(page, name).waitFor();
  expect(await page.locator('#announced').textContent()).toBe(name);
  await expectCount(page.getByLabel('Pix copia e cola'), 0);
});

test('what has ended, or was taken back, says so', async () => {
  const [ended, withdrawn] = [await create(), await create()];
  await act(ended, 'approve');
  await act(ended, 'revoke');
  await heading(await open(ended), 'Autorização encerrada').waitFor();
  expect(await client.post(`/v1/recurrences/${withdrawn.id}/cancel`)).toMatchObject({ status: 200 });
  await heading(await open(withdrawn), 'Pedido de autorização cancelado').waitFor();
});

test('a code that nobody used in time is not shown any more', async () => {
  const own = createClient(app.baseUrl, (await createKey(app.services)).key);
  const first = { authorization: 'qr_with_payment', firstPayment: { amount: 1, expirationMinutes: 5 } };
  const made: Made = (await own.post('/v1/recurrences', { ...terms, ...first })).body;
  const to = new Date(Date.now() + 8 * 60_000).toISOString();
  expect(await own.post('/v1/sandbox/clock', { to })).toMatchObject({ status: 200 });
  const page = await open(made);
  await heading(page, 'O prazo para autorizar terminou').waitFor();
  expect(await page.content()).not.toContain(made.pixCopyPaste);
});

test('without JavaScript there is a way to look again', async () => {
  const made = await create();
  const page = await open(made, { javaScriptEnabled: false });
  await act(made, 'approve');
  await page.getByRole('link', { name: 'Já autorizei: verificar situação' }).click();
  await heading(page, 'Autorização confirmada').waitFor();
});

test('it is accessible, light and dark, before and after', async () => {
  const made = await create();
  const pagesSeen = [
    await open(made, { bypassCSP: true }),
    await open(made, { bypassCSP: true, colorScheme: 'dark', viewport: desktop }),
  ];
  for (const page of pagesSeen) await expectAccessible(page);
  await act(made, 'approve');
  for (const page of pagesSeen) {
    await heading(page, 'Autorização confirmada').waitFor();
    await expectAccessible(page);
  }
});
