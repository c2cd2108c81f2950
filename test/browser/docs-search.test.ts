import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp({ ROLE: 'api' }), startChromium()]);
  page = await browser.newPage();
  await page.goto(`${app.baseUrl}/docs/`);
});

afterAll(async () => {
  await browser.close();
  await app.stop();
});

async function firstFor(text: string): Promise<string> {
  await page.getByRole('searchbox').fill('');
  const count = page.locator('#count');
  await eventually(async () => {
    expect(await count.textContent()).toBe('');
  });
  await page.getByRole('searchbox').fill(text);
  await count.filter({ hasText: /results$/ }).waitFor({ state: 'attached' });
  const first = page.locator('#results a').first();
  await first.waitFor();
  return (await first.getAttribute('href')) ?? '';
}

test('the search of the documentation finds what people mean', async () => {
  expect(await firstFor('estorno')).toMatch(/^\/docs\/refunds/);
  expect(await firstFor('refnd')).toMatch(/refund/);
  expect(await firstFor('MED')).toMatch(/^\/docs\/(disputes|refunds)/);
  expect(await firstFor('contestação')).toMatch(/^\/docs\/disputes/);
  await page.getByRole('searchbox').fill('xyzzyx');
  await page.getByText('Nothing found.').waitFor();
});

test('the REST reference finds operations by their words, and goes by the theme of the documentation', async () => {
  await page.evaluate("localStorage.setItem('docs-theme', 'dark')");
  await page.goto(`${app.baseUrl}/docs/reference/`);
  const operations = page.locator('.opblock');
  await operations.first().waitFor();
  const all = await operations.count();
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('list Refunds');
  await page.getByText('List refunds of all payments, newest first').waitFor();
  await eventually(async () => expect(await operations.count()).toBeLessThan(all / 5));
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await background();
  await page.getByRole('button', { name: 'Use the other theme' }).click();
  expect(await background()).toBe('rgb(255, 255, 255)');
  expect(dark).not.toBe('rgb(255, 255, 255)');
  expect(await page.evaluate("localStorage.getItem('docs-theme')")).toBe('light');
});
