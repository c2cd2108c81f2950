import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { isLong, longTest } from '../support/chance.ts';
import { startChromium } from '../support/chromium.ts';
import { accessibilityViolations } from '../support/dashboard.ts';
import { portuguesePages } from '../support/pages.ts';

const minutes = 60_000;
let app: TestApp;
let browser: Browser;
let paths: string[];

beforeAll(async () => {
  if (!isLong) return;
  [app, browser] = await Promise.all([startTestApp(), startChromium()]);
  const list = await (await fetch(`${app.baseUrl}/docs/llms.txt`)).text();
  const english = [...list.matchAll(/\]\((\/docs\/[^)]*)\.md\)/g)].map(([, path = '']) =>
    path.replace(/index$/, ''),
  );
  const portuguese = portuguesePages.map((source) => `/${source.replace(/(README)?\.md$/, '')}`);
  paths = [...new Set([...english, ...portuguese]), '/docs/reference/', '/docs/404', '/docs/pt/404'];
});

afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

type Look = (path: string) => Promise<string[]>;

async function eachPage(page: Page, look: Look): Promise<string[]> {
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(app.baseUrl + path);
    if (path === '/docs/reference/') await page.locator('.opblock-summary').first().waitFor();
    problems.push(...(await look(path)));
  }
  return problems;
}

describe('every page of the documentation', () => {
  longTest.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, on a phone and a large screen',
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      const problems = await eachPage(page, async (path) => {
        const found: string[] = [];
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          found.push(...(await accessibilityViolations(page)).map((each) => `${path} at ${width}: ${each}`));
        }
        return found;
      });
      expect(problems).toEqual([]);
    },
    30 * minutes,
  );

  longTest(
    'fits into the smallest phone',
    async () => {
      const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
      const look = async (path: string) => {
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        return width > 320 ? [`${path}: ${width}`] : [];
      };
      const problems = await eachPage(page, look);
      expect(problems).toEqual([]);
    },
    15 * minutes,
  );
});
