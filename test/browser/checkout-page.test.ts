import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
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

const create = async (input: object = {}): Promise<Made> =>
  (await client.post('/v1/payments', { amount: 89.9, description: 'Order 1042', ...input })).body;

const pay = (id: string) => client.post(`/v1/sandbox/payments/${id}/pay`);

const urlOf = ({ checkoutUrl }: Made): string => app.baseUrl + new URL(checkoutUrl).pathname;

async function open(payment: Made, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: phone, ...options });
  const page = await context.newPage();
  pages.push(page);
  await page.goto(urlOf(payment));
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a phone copies the code, and sees the payment confirmed by itself', async () => {
  const payment = await create({ returnUrl: 'https://shop.example.com/orders/1042' });
  const page = await open(payment, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByText(/Tempo restante: (30:00|29:\d\d)/).waitFor();
  await page.getByRole('button', { name: 'Copiar código' }).click();
  await page.getByText('Código copiado').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.pixCopyPaste);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await pay(payment.id);
  await heading(page, 'Pagamento confirmado').waitFor();
  expect(await page.title()).toContain('Pagamento confirmado');
  expect(await page.locator('#announced').textContent()).toBe('Pagamento confirmado');
  const back = page.getByRole('link', { name: /^Voltar para/ });
  expect(await back.getAttribute('href')).toBe(
    `https://shop.example.com/orders/1042?payment_id=${payment.id}&status=completed`,
  );
});

test('without JavaScript the code, the QR code and a way to look again are there', async () => {
  const payment = await create();
  const page = await open(payment, { javaScriptEnabled: false });
  expect(await page.getByLabel('Pix copia e cola').inputValue()).toBe(payment.pixCopyPaste);
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  expect(await page.getByRole('button', { name: 'Copiar código' }).isVisible()).toBe(false);
  await pay(payment.id);
  await page.getByRole('link', { name: 'Já paguei: verificar pagamento' }).click();
  await heading(page, 'Pagamento confirmado').waitFor();
});

test('a payment with a due date asks for what is owed today, counts no time down, and says what was paid', async () => {
  const payer = { name: 'Maria da Silva', document: '529.982.247-25' };
  const due = { date: '2030-12-20', discounts: [{ until: '2030-12-10', amount: 10 }], fine: { percent: 2 } };
  const payment = await create({ amount: 100, payer, due });
  const plain = await open(payment, { javaScriptEnabled: false });
  await plain.getByText('Até 10/12/2030: R$ 90,00 · depois: R$ 100,00').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(payment, { colorScheme, bypassCSP: true });
    await page.getByText('Último dia para pagar: 20/01/2031').waitFor();
    expect(await page.getByText(/^Tempo restante/).count()).toBe(0);
    await expectAccessible(page);
  }
  const page = await open(payment, { bypassCSP: true });
  await pay(payment.id);
  await heading(page, 'Pagamento confirmado').waitFor();
  expect(await page.locator('.amount').textContent()).toMatch(/R\$\s90,00$/);
  await page.getByText(/^−\sR\$\s10,00$/).waitFor();
  await expectAccessible(page);
});

test('a phone that was offline says so, and catches up once it is back', async () => {
  const payment = await create();
  const page = await open(payment);
  await page.context().setOffline(true);
  await page.getByText(/^Sem conexão/).waitFor();
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  await pay(payment.id);
  await page.context().setOffline(false);
  await heading(page, 'Pagamento confirmado').waitFor();
  expect(await page.getByText(/^Sem conexão/).isVisible()).toBe(false);
});

test('where no WebSocket and no stream gets through, it is confirmed all the same', async () => {
  const payment = await create();
  const context = await browser.newContext({ locale: 'en-US', viewport: desktop });
  const page = await context.newPage();
  pages.push(page);
  await page.addInitScript('delete window.WebSocket; delete window.EventSource;');
  await page.goto(urlOf(payment));
  await heading(page, 'Pay with Pix').waitFor();
  await pay(payment.id);
  await heading(page, 'Payment confirmed').waitFor();
});

longTest('where a proxy breaks every request that waits, it goes on asking', async () => {
  const payment = await create();
  const page = await open(payment);
  let broken = 0;
  await page.route('**/changes?*', async (route) => {
    broken += 1;
    if (broken <= 3) await route.fulfill({ status: 504, body: '' });
    else await route.continue();
  });
  await page.reload();
  await page.getByText(/^Sem conexão/).waitFor();
  await pay(payment.id);
  await heading(page, 'Pagamento confirmado').waitFor();
  expect(broken).toBe(4);
});

test('it is expired when the time is up, whatever the clock of the phone says', async () => {
  const payment = await create();
  const page = await open(payment);
  await client.post(`/v1/sandbox/payments/${payment.id}/expire`);
  await heading(page, 'O prazo terminou').waitFor();
  await expectCount(page.getByLabel('Pix copia e cola'), 0);
  await pay(payment.id);
  await heading(page, 'Pagamento recebido fora do prazo').waitFor();
});

test('everything is reached and used by keyboard', async () => {
  const payment = await create({ returnUrl: 'https://shop.example.com/' });
  const page = await open(payment, { viewport: desktop, permissions: ['clipboard-read', 'clipboard-write'] });
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.className');
  const reached = [];
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Tab');
    reached.push(await focused());
  }
  expect(reached).toEqual(['code', 'copy', 'action']);
  await page.locator('#copy').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Código copiado').waitFor();
  await pay(payment.id);
  await heading(page, 'Pagamento confirmado').waitFor();
  // What had the focus is gone.
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
});

test('a payment link asks for the amount, says at the field what is wrong, and leads to its payment', async () => {
  const { url } = (
    await client.post('/v1/payment-links', { minimumAmount: 5, maximumAmount: 50, description: 'Donation' })
  ).body;
  const context = await browser.newContext({ locale: 'pt-BR', viewport: phone, bypassCSP: true });
  const page = await context.newPage();
  pages.push(page);
  await page.goto(app.baseUrl + new URL(url).pathname);
  await expectAccessible(page);
  await page.getByLabel('Valor (R$)').fill('4');
  await page.getByRole('button', { name: 'Gerar Pix' }).click();
  await page.getByText('O valor deve ficar entre').waitFor();
  await expectAccessible(page);
  expect(await page.getByLabel('Valor (R$)').inputValue()).toBe('4');
  await page.getByLabel('Valor (R$)').fill('12,50');
  await page.getByRole('button', { name: 'Gerar Pix' }).dblclick();
  await heading(page, 'Pague com Pix').waitFor();
  await page.getByText('12,50').waitFor();
  // No page on the way back is the answer to a form, which browsers would ask to send again.
  await page.goBack();
  await heading(page, 'Pagar com Pix').waitFor();
  expect(await page.getByLabel('Valor (R$)').inputValue()).toBe('');
  await page.goBack();
  await heading(page, 'Pagar com Pix').waitFor();
});

test('a payment link whose Pix expired gives out another with one tap, and then a receipt', async () => {
  const { id, url } = (await client.post('/v1/payment-links', { amount: 30 })).body;
  const context = await browser.newContext({ locale: 'pt-BR', viewport: phone, bypassCSP: true });
  const page = await context.newPage();
  pages.push(page);
  await page.goto(app.baseUrl + new URL(url).pathname);
  await page.getByRole('button', { name: 'Gerar Pix' }).click();
  await heading(page, 'Pague com Pix').waitFor();
  const newest = async () =>
    (await client.get(`/v1/payment-links/${id}/payments`)).body.data[0] as { id: string };
  await client.post(`/v1/sandbox/payments/${(await newest()).id}/expire`);
  await heading(page, 'O prazo terminou').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Gerar novo Pix' }).click();
  await heading(page, 'Pague com Pix').waitFor();
  await pay((await newest()).id);
  await heading(page, 'Pagamento confirmado').waitFor();
  await page.getByText('ID da transação Pix').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
});

describe('axe finds nothing', () => {
  const states: [string, (payment: Made) => Promise<unknown>][] = [
    ['Pague com Pix', async () => undefined],
    ['Pagamento confirmado', ({ id }) => pay(id)],
    ['O prazo terminou', ({ id }) => client.post(`/v1/sandbox/payments/${id}/expire`)],
    ['Cobrança cancelada', ({ id }) => client.post(`/v1/payments/${id}/cancel`)],
  ];
  const cases = states.flatMap(([name, change]) =>
    [phone, desktop].flatMap((viewport) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ name, change, viewport, colorScheme })),
    ),
  );

  const check = async ({ name, change, ...options }: (typeof cases)[number]): Promise<void> => {
    const payment = await create({ returnUrl: 'https://shop.example.com/' });
    await change(payment);
    const page = await open(payment, { ...options, bypassCSP: true });
    await heading(page, name).waitFor();
    await expectAccessible(page);
  };

  test('while the payment is awaited and once it is confirmed, in both themes', async () => {
    const ordinary = cases.filter(
      ({ name, viewport, colorScheme }) =>
        (name === 'Pague com Pix' && viewport === phone) ||
        (name === 'Pagamento confirmado' && viewport === desktop && colorScheme === 'dark'),
    );
    for (const each of ordinary) await check(each);
  });

  for (const each of cases) {
    longTest(`in “${each.name}” at ${each.viewport.width}, ${each.colorScheme}`, () => check(each));
  }
});
