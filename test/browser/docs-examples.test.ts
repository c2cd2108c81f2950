import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startChromium } from '../support/chromium.ts';
import { accessibilityViolations, expectCount } from '../support/dashboard.ts';

let app: TestApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp({ ROLE: 'api' }), startChromium()]);
});

beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
  await page.goto(`${app.baseUrl}/docs/quick-start`);
});

afterAll(async () => {
  await browser.close();
  await app.stop();
});

const shownBlocks = () => page.locator('pre:visible').allTextContents();

test('only examples in the language that a reader has chosen are shown, on every page', async () => {
  expect(await shownBlocks()).toEqual([expect.stringContaining('curl -s')]);
  await page.getByRole('tab', { name: 'Python' }).click();
  expect(await shownBlocks()).toEqual([expect.stringContaining('import json')]);
  await page.goto(`${app.baseUrl}/docs/webhooks#verifying-signatures`);
  const panels = page.locator('.tabs pre:visible');
  expect(await panels.allTextContents()).toEqual([expect.stringContaining('import base64')]);
  await page.getByRole('tab', { name: 'Python' }).press('ArrowLeft');
  expect(await panels.allTextContents()).toEqual([expect.stringContaining('import { createHmac')]);
  await page.goto(`${app.baseUrl}/docs/quick-start#php`);
  expect(await shownBlocks()).toEqual([expect.stringContaining('<?php')]);
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('a browser without JavaScript is shown the examples of all languages', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(`${app.baseUrl}/docs/quick-start`);
  await expectCount(plain.locator('pre:visible'), 4);
  expect(await plain.getByText('Use your address').isVisible()).toBe(false);
  await plain.close();
});

test('examples show and copy the address and the test key of the reader', async () => {
  await page.getByText('Use your address and test key').click();
  await page.getByLabel('Address of the service').fill('https://pix.loja.example/');
  await page.getByLabel('Test key').fill('pk_test_abc-1');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show in the examples' }).click();
  const expected = 'export PIX_URL=https://pix.loja.example PIX_API_KEY=pk_test_abc-1\n';
  expect((await shownBlocks())[0]).toContain(expected);
  await page.locator('.code:visible').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(expected);

  await page.goto(`${app.baseUrl}/docs/assistants`);
  expect((await shownBlocks())[0]).toContain(
    '"PIX_URL": "https://pix.loja.example", "PIX_API_KEY": "pk_test_abc-1"',
  );
});

test.each([
  ['Test key', 'pk_live_abc'],
  ['Test key', 'pk_test_a"; curl evil.example #'],
  ['Address of the service', 'https://pix.example.com/path'],
  ['Address of the service', 'https://$(id).example.com'],
])('examples take no %s such as %s', async (label, value) => {
  await page.getByText('Use your address and test key').click();
  const before = await shownBlocks();
  await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: 'Show in the examples' }).click();
  expect(await page.getByLabel(label).evaluate((input) => input.matches(':invalid'))).toBe(true);
  expect(await shownBlocks()).toEqual(before);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(value);
});

test('a page leads to the same one in the other language, or to its first page', async () => {
  await page.getByRole('link', { name: 'Português' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs/pt/quick-start');
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
  expect(await page.getByRole('link', { name: /^Anterior/ }).count()).toBe(0);
  await page.getByRole('link', { name: /^Próxima/ }).waitFor();
  await page.getByRole('link', { name: 'English' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs/quick-start');
  await page.goto(`${app.baseUrl}/docs/contributing/`);
  await page.getByRole('link', { name: 'Português' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs/pt/');
  await page.goto(`${app.baseUrl}/docs/pt/nada`);
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
});

test('the search of a page finds pages in its language, and in English what is not translated', async () => {
  await page.goto(`${app.baseUrl}/docs/pt/`);
  const search = page.getByRole('searchbox');
  await search.fill('primeiros passos');
  await page.locator('#results a[href="/docs/pt/quick-start"]').first().waitFor();
  expect(await page.locator('#results a[href="/docs/quick-start"]').count()).toBe(0);
  await search.fill('createPaymentBatch');
  await page.locator('#results a[href="/docs/graphql#createpaymentbatch"]').first().waitFor();
});
