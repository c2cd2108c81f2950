import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startChromium } from '../support/chromium.ts';
import { type Client, createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';

const documentation = fileURLToPath(new URL('../../docs/checkout.md', import.meta.url));
const green = 'rgb(26, 127, 55)';

let app: TestApp;
let client: Client;
let browser: Browser;
/** Another origin than the service: the shop's. */
let shop: Server;
const pages: Page[] = [];

/** The page as the documentation has it. */
async function checkoutPage(): Promise<string> {
  const text = await readFile(documentation, 'utf8');
  const [, html] =
    /<!-- checkout page -->[^]*?```html\n([^]*?)```[^]*?<!-- end of the checkout page -->/.exec(text) ?? [];
  if (html === undefined) throw new Error('the documentation has no checkout page');
  return html;
}

beforeAll(async () => {
  app = await startTestApp();
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
  const html = await checkoutPage();
  shop = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  browser = await startChromium();
});

afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()));
});

afterAll(async () => {
  await browser.close();
  shop.close();
  await app.stop();
});

const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

async function openCheckout(id: string, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const { token } = (await client.post(`/v1/payments/${id}/token`)).body;
  const page = await browser.newPage();
  pages.push(page);
  await prepare?.(page);
  const fragment = new URLSearchParams({ service: app.baseUrl, id, token }).toString();
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/#${fragment}`);
  await page.getByText('pending').waitFor();
  return page;
}

async function createPayment(): Promise<{ id: string; pixCopyPaste: string }> {
  return (await client.post('/v1/payments', { amount: 3, payer: { name: 'Fulano' } })).body;
}

test('the page shows the code, and turns green when the payment is paid', async () => {
  const { id, pixCopyPaste } = await createPayment();
  const page = await openCheckout(id);
  await page.getByText(pixCopyPaste).waitFor();
  expect(await page.evaluate('document.querySelector("img").naturalWidth')).toBeGreaterThan(20);
  expect(await background(page)).not.toBe(green);
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  await page.getByText('completed').waitFor({ timeout: 2_000 });
  expect(await background(page)).toBe(green);
});

longTest('where no WebSocket gets through, it asks', async () => {
  const { id } = await createPayment();
  const page = await openCheckout(id, (opened) =>
    opened.routeWebSocket('**/graphql', (socket) => void socket.close()),
  );
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  await page.getByText('completed').waitFor({ timeout: 8_000 });
  expect(await background(page)).toBe(green);
});

test('a page that is closed leaves no subscription behind', async () => {
  const { id } = await createPayment();
  const page = await openCheckout(id);
  const watched = (count: number) =>
    eventually(() => {
      expect(app.services.livePayments.count()).toBe(count);
    });
  await watched(1);
  await page.close();
  await watched(0);
});
