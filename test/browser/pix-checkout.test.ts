import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import jsQr from 'jsqr';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
import { startChromium } from '../support/chromium.ts';
import { type Client, createClient } from '../support/client.ts';
import { startCuttableLink } from '../support/cuttable-link.ts';
import { expectAccessible, expectCount } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { draw, screenshotTest } from '../support/screenshots.ts';

let app: TestApp;
let client: Client;
let browser: Browser;
/** The modules of the package, as they are published. */
let modules: string;
/** Another origin than the service, with a policy that permits no inline style, and no image. */
let shop: Server;
const pages: Page[] = [];

interface Made {
  id: string;
  pixCopyPaste: string;
  token: string;
}

function compile(): Promise<unknown> {
  const root = resolve(import.meta.dirname, '../..');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', join(root, 'packages/checkout'), '--outDir', modules];
  return promisify(execFile)(process.execPath, [tsc, ...options]);
}

async function serveShop(): Promise<Server> {
  const policy = `default-src 'none'; script-src 'self'; connect-src http://127.0.0.1:*`;
  const html = `<!doctype html><html lang="pt-BR"><title>Shop</title>
    <script type="module" src="/index.js"></script><main><h1>Pedido</h1></main></html>`;
  const server = createServer(async ({ url = '/' }, response) => {
    const isPage = url === '/';
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', isPage ? 'text/html; charset=utf-8' : 'text/javascript');
    response.end(isPage ? html : await readFile(join(modules, url)).catch(() => ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  modules = await mkdtemp(join(tmpdir(), 'pix-checkout-'));
  [app, browser] = await Promise.all([startTestApp(), startChromium(), compile()]);
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
  shop = await serveShop();
});

afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
});

afterAll(async () => {
  shop.close();
  await Promise.all([browser.close(), rm(modules, { recursive: true }), app.stop()]);
});

async function create(input: object = {}): Promise<Made> {
  const { body } = await client.post('/v1/payments', { amount: 19.9, description: 'Order 1042', ...input });
  return { ...body, token: (await client.post(`/v1/payments/${body.id}/token`)).body.token };
}

const pay = ({ id }: Made) => client.post(`/v1/sandbox/payments/${id}/pay`);
const expire = ({ id }: Made) => client.post(`/v1/sandbox/payments/${id}/expire`);

/** A page of the shop that records the events of its elements, and what its policy refuses. */
async function openShop(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  pages.push(page);
  await page.addInitScript(`
    window.seen = [];
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    window.show = (attributes, parent = document.querySelector('main')) => {
      const element = document.createElement('pix-checkout');
      for (const type of ['pending', 'completed', 'expired', 'cancelled', 'refunded', 'failed', 'error'])
        element.addEventListener(type, ({ detail }) => seen.push([type, detail.id ?? detail.code]));
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      parent.append(element);
    };
  `);
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
  return page;
}

const show = (page: Page, { id, token }: Pick<Made, 'id' | 'token'>, more: object = {}) =>
  page.evaluate(`show(${JSON.stringify({ service: app.baseUrl, 'payment-id': id, token, ...more })})`);

async function open(payment: Made, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openShop(options);
  await show(page, payment);
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  return page;
}

const events = (page: Page) => page.evaluate<[type: string, detail: string][]>('seen');
const seesEvents = (page: Page, expected: [string, string][]) =>
  eventually(async () => expect(await events(page)).toEqual(expected));
const subscriptions = (count: number) =>
  eventually(() => expect(app.services.livePayments.count()).toBe(count));

async function scan(page: Page): Promise<string | undefined> {
  const { width, height, pixels } = await page.evaluate<{
    width: number;
    height: number;
    pixels: number[];
  }>(`(() => {
    const canvas = document.querySelector('pix-checkout').shadowRoot.querySelector('canvas');
    const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return { width, height, pixels: [...data] };
  })()`);
  return jsQr.default(Uint8ClampedArray.from(pixels), width, height)?.data;
}

test('on the page of a shop, the payer scans or copies the code, and the page hears that it is paid', async () => {
  const payment = await create();
  const page = await open(payment, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByText(/Tempo restante: (30:00|29:\d\d)/).waitFor();
  await page.getByText('R$ 19,90').waitFor();
  await eventually(async () => expect(await scan(page)).toBe(payment.pixCopyPaste));
  await page.getByRole('button', { name: 'Copiar código' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Código copiado').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.pixCopyPaste);
  await expectAccessible(page);

  await pay(payment);
  await page.getByRole('status').getByText('Pagamento confirmado').waitFor();
  await seesEvents(page, [
    ['pending', payment.id],
    ['completed', payment.id],
  ]);
  expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.getAttribute("part")')).toBe(
    'status',
  );
  expect(await page.evaluate('violations')).toEqual([]);
  await subscriptions(0);
});

longTest('it says that the time is up, and that a Pix came after that', async () => {
  const payment = await create();
  const page = await open(payment);
  await expire(payment);
  await page.getByText('O prazo terminou').waitFor();
  await expectCount(page.getByRole('button'), 0);
  await pay(payment);
  await page.getByText('Pagamento recebido fora do prazo').waitFor();
  await seesEvents(page, [
    ['pending', payment.id],
    ['expired', payment.id],
    ['completed', payment.id],
  ]);
});

longTest('a payer who was offline is told so, and catches up', async () => {
  const payment = await create();
  const page = await open(payment);
  await subscriptions(1);
  await page.context().setOffline(true);
  await page.getByText(/^Sem conexão/).waitFor();
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  await pay(payment);
  await page.context().setOffline(false);
  await page.getByText('Pagamento confirmado').waitFor();
  await expectCount(page.getByText(/^Sem conexão/), 0);
});

longTest.each([
  ['are refused', 502],
  ['never begin', undefined],
])('where streams %s, it asks', async (_case, status) => {
  const payment = await create();
  const page = await openShop();
  let tried = 0;
  await page.route('**/graphql', async (route) => {
    tried += 1;
    if (status !== undefined) await route.fulfill({ status });
  });
  await show(page, payment);
  await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  await eventually(() => expect(tried).toBe(1));
  await pay(payment);
  await page.getByText('Pagamento confirmado').waitFor({ timeout: 15_000 });
});

longTest('while the service is not reached it says so, and then misses nothing', async () => {
  const payment = await create();
  const link = await startCuttableLink(app.baseUrl);
  try {
    const page = await openShop();
    await show(page, payment, { service: link.url });
    await subscriptions(1);
    link.cut();
    await page.getByText(/^Sem conexão/).waitFor();
    await pay(payment);
    link.mend();
    await page.getByText('Pagamento confirmado').waitFor();
  } finally {
    link.stop();
  }
});

longTest.each([
  ['a wrong token', 'unauthorized', () => `pt_${'A'.repeat(94)}`],
  ['the token of another payment', 'permission_denied', async () => (await create()).token],
])('with %s it says that it cannot be shown, once', async (_case, code, tokenOf) => {
  const { id } = await create();
  const page = await openShop();
  let requests = 0;
  page.on('request', (request) => (requests += request.method() === 'GET' ? 1 : 0));
  await show(page, { id, token: await tokenOf() });
  await page.getByText('Não foi possível mostrar este Pix').waitFor();
  await seesEvents(page, [['error', code]]);
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  expect(requests).toBe(1);
});

longTest('a page that nobody sees asks for nothing, and catches up when it is seen', async () => {
  const payment = await create();
  const page = await open(payment);
  await subscriptions(1);
  const hide = (isHidden: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
  await hide(true);
  await subscriptions(0);
  await pay(payment);
  await hide(false);
  await page.getByText('Pagamento confirmado').waitFor();
});

longTest('it follows no payment while it is out of the page, and goes on when it is back', async () => {
  const payment = await create();
  const page = await open(payment);
  await subscriptions(1);
  await page.evaluate('window.kept = document.querySelector("pix-checkout"); kept.remove()');
  await subscriptions(0);
  await page.evaluate('document.body.append(kept)');
  await subscriptions(1);
  await pay(payment);
  await page.getByText('Pagamento confirmado').waitFor();
  await seesEvents(page, [
    ['pending', payment.id],
    ['completed', payment.id],
  ]);
});

longTest('moving it interrupts nothing, and with other attributes it shows another payment', async () => {
  const [first, second] = [await create(), await create({ description: 'Order 1043' })];
  const page = await open(first);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.evaluate('document.body.append(document.querySelector("pix-checkout"))');
  await page.evaluate(`Object.assign(document.querySelector('pix-checkout'), {
    paymentId: '${second.id}', token: '${second.token}' })`);
  await page.getByText('Order 1043').waitFor();
  await pay(first);
  await pay(second);
  await page.getByText('Pagamento confirmado').waitFor();
  await seesEvents(page, [
    ['pending', first.id],
    ['pending', second.id],
    ['completed', second.id],
  ]);
  expect(requests.filter((url) => url.includes(first.id))).toEqual([]);
});

longTest('more of them than a browser opens connections are all told', async () => {
  const payments = await Promise.all(Array.from({ length: 8 }, () => create()));
  const page = await openShop();
  for (const payment of payments) await show(page, payment);
  await expectCount(page.getByRole('img', { name: 'QR code do Pix' }), 8);
  await Promise.all(payments.map(pay));
  await expectCount(page.getByText('Pagamento confirmado'), 8);
  await expectAccessible(page);
});

test('of a payment with a due date it shows what is owed today and next, and then what was paid', async () => {
  const payment = await create({
    amount: 105,
    payer: { name: 'João Souza', document: '529.982.247-25' },
    due: {
      date: '2030-12-10',
      payableDaysAfter: 5,
      fine: { percent: 2 },
      discounts: [{ until: '2030-12-06', amount: 10 }],
      rebate: { amount: 5 },
    },
  });
  const page = await open(payment, { viewport: { width: 390, height: 900 } });
  for (const line of [
    'R$ 90,00',
    'Vencimento: 10/12/2030',
    'Até 06/12/2030: R$ 90,00 · depois: R$ 100,00',
    'Último dia para pagar: 16/12/2030',
    'Valor estimado para hoje. O valor final é o que o seu banco mostrar.',
  ])
    await page.getByText(line, { exact: true }).waitFor();
  expect(
    await page
      .getByText(/105,00|Tempo restante/)
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  await expectAccessible(page);
  await pay(payment);
  await page.getByText('Pagamento confirmado').waitFor();
  await page.getByText('R$ 90,00', { exact: true }).waitFor();
  expect(
    await page
      .getByText(/Vencimento|estimado/)
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  expect(await page.evaluate('document.querySelector("pix-checkout").payment')).toMatchObject({
    status: 'completed',
    amount: 105,
    amountPaid: 90,
    due: { date: '2030-12-10' },
  });
});

test('it says that a payment is overdue, and that its date has moved', async () => {
  const own = createClient(app.baseUrl, (await createKey(app.services)).key);
  const payer = { name: 'João Souza', document: '529.982.247-25' };
  // A Saturday.
  const due = { date: '2030-12-14', fine: { percent: 2 } };
  const { body } = await own.post('/v1/payments', { amount: 100, payer, due });
  const { token } = (await own.post(`/v1/payments/${body.id}/token`)).body;
  const page = await open({ ...body, token });
  await page.getByText('Vencimento: 14/12/2030, prorrogado para 16/12/2030 (dia útil)').waitFor();
  expect((await own.post('/v1/sandbox/clock', { to: '2030-12-18T12:00:00Z' })).status).toBe(200);
  await page.getByText('Venceu em 14/12/2030').waitFor();
  await page.getByText('R$ 102,00', { exact: true }).waitFor();
});

longTest('it learns of another day within an hour, though nothing tells', async () => {
  const own = createClient(app.baseUrl, (await createKey(app.services)).key);
  const due = { date: '2030-12-10', discounts: [{ until: '2030-12-06', amount: 10 }] };
  const { body } = await own.post('/v1/payments', {
    amount: 100,
    payer: { name: 'João Souza', document: '529.982.247-25' },
    due,
  });
  const { token } = (await own.post(`/v1/payments/${body.id}/token`)).body;
  const page = await openShop();
  await page.clock.install();
  await show(page, { id: body.id, token });
  await page.getByText('R$ 90,00', { exact: true }).waitFor();
  await subscriptions(1);
  expect((await own.post('/v1/sandbox/clock', { to: '2030-12-07T12:00:00Z' })).status).toBe(200);
  await page.clock.fastForward('59:00');
  await expectCount(page.getByText('R$ 90,00', { exact: true }), 1);
  await page.clock.fastForward('01:01');
  await page.getByText('R$ 100,00', { exact: true }).waitFor();
});

longTest('in a part of the page in English it is in English, in any theme', async () => {
  const payment = await create();
  const page = await openShop({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await show(page, payment, { lang: 'en-GB' });
  await page.getByText('Pay with Pix').waitFor();
  await page.getByText('R$19.90').waitFor();
  await expectAccessible(page);
  expect(
    await page.evaluate(
      'document.querySelector("pix-checkout").shadowRoot.getAnimations({ subtree: true }).length',
    ),
  ).toBe(0);
  await client.post(`/v1/payments/${payment.id}/cancel`);
  await page.getByText('Payment cancelled').waitFor();
  await expectAccessible(page);
});

screenshotTest('is drawn for the documentation', async () => {
  const payment = await create({ amount: 89.9, description: 'Camiseta, tamanho M' });
  const page = await open(payment, { viewport: { width: 820, height: 720 } });
  // A script does it, because the policy of the shop permits no style in its page.
  await page.evaluate(`
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('body { margin: 32px; font-family: system-ui; background: #f6f4f0 }' +
      'main { display: grid; grid-template-columns: 1fr 440px; gap: 32px; align-items: start }' +
      'pix-checkout { padding: 0 24px 8px; background: #fff; border-radius: 16px; box-shadow: 0 2px 12px #0002 }');
    document.adoptedStyleSheets = [sheet];
    document.querySelector('main > h1').outerHTML =
      '<section><h1>Pedido 1042</h1><p>Camiseta, tamanho M<br>1 × R$ 89,90</p><p><b>Total: R$ 89,90</b></p></section>';
  `);
  await draw(page, 'pix-checkout');
});
