import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import type { Mode } from '../../src/core/base/mode.ts';
import type { Role } from '../../src/core/base/roles.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startChromium } from './chromium.ts';
import { type Client, createClient } from './client.ts';
import { eventually } from './eventually.ts';
import { createKey } from './factories.ts';
import { createPerson, newAddress, signIn, type TestPerson } from './people.ts';

const startMilliseconds = 180_000;

export interface DashboardTests {
  app: TestApp;
  /** A page of a browser that knows nobody yet. */
  newPage(): Promise<Page>;
  /** A page for somebody who is signed in, at `path` of their organization and mode; blank without one. */
  open(options?: Opening): Promise<Opened>;
}

interface Opening {
  role?: Role;
  organizationId?: string;
  mode?: Mode;
  path?: string;
  width?: number;
}

export interface Opened extends TestPerson {
  page: Page;
  /** The same organization over REST, with a key of the same mode. */
  client: Client;
  /** Goes to a path of the organization and mode. */
  go(path: string): Promise<void>;
}

/** A page that looks as if it were new. Its process stays, and with it the compiled scripts: they are half of a load. */
async function clean(page: Page, baseUrl: string): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all([...others.map((other) => other.close()), page.unrouteAll(), context.setOffline(false)]);
  page.removeAllListeners();
  await page.goto(`${baseUrl}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
}

/** One service and one browser for a file; each test has pages, people and an organization of its own. */
export function dashboardTests(env: Record<string, string> = {}): DashboardTests {
  const started = {} as DashboardTests;
  let browser: Browser;
  const used: Page[] = [];
  const idle: Page[] = [];

  async function takePage(width = 1360): Promise<Page> {
    const page = idle.pop() ?? (await newPage());
    used.push(page);
    await page.setViewportSize({ width, height: 900 });
    await page.context().setExtraHTTPHeaders({ 'X-Forwarded-For': newAddress() });
    return page;
  }

  async function newPage(): Promise<Page> {
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: 'America/Sao_Paulo',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(90_000);
    return context.newPage();
  }

  /** What a test has given a page for good, as a clock or a script, goes with its context. */
  async function release(page: Page): Promise<void> {
    try {
      await clean(page, started.app.baseUrl);
      const isAsNew = await page.evaluate(
        '!("__pwClock" in window) && !("countClick" in window) && navigator.clipboard !== undefined',
      );
      if (isAsNew) idle.push(page);
      else await page.context().close();
    } catch {
      await page.context().close();
    }
  }

  beforeAll(async () => {
    started.app = await startTestApp({ TRUST_PROXY: '1', ...env });
    browser = await startChromium();
  }, startMilliseconds);

  afterEach(async () => {
    await Promise.all(used.splice(0).map(release));
  });

  afterAll(async () => {
    await browser.close();
    await started.app.stop();
  });

  started.newPage = takePage;

  started.open = async ({ path, mode = 'test', width, ...options } = {}) => {
    const { app } = started;
    const person = await createPerson(app, options);
    const { organizationId } = person;
    const { key } = await createKey(app.services, { organizationId, mode });
    const page = await takePage(width);
    const cookies = (await signIn(app, person)).split('; ').map((cookie) => cookie.split('='));
    await page
      .context()
      .addCookies(
        cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url: app.baseUrl })),
      );
    const go = async (to: string) => {
      await page.goto(`${app.baseUrl}/dashboard/${organizationId}/${mode}${to}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    if (path !== undefined) await go(path);
    return { ...person, page, client: createClient(app.baseUrl, key), go };
  };
  return started;
}

const asksFor = (request: Request, operation: string): boolean =>
  !!request.postData()?.includes(` ${operation}(`);

/** When a page asks for an operation, from now on. */
export function watchAsked(page: Page, operation: string): number[] {
  const instants: number[] = [];
  page.on('request', (request) => {
    if (asksFor(request, operation)) instants.push(Date.now());
  });
  return instants;
}

/** Lets a page wait for the answers to an operation; answers how to let them come. */
export async function holdBack(page: Page, operation: string): Promise<() => void> {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (asksFor(route.request(), operation)) await held;
    await route.continue();
  });
  return letGo;
}

/** How often somebody has clicked since, on whatever page. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let count = 0;
  await page.exposeFunction('countClick', () => {
    count += 1;
  });
  const listen = 'addEventListener("pointerdown", () => void window.countClick(), true)';
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return async () => {
    await page.evaluate('document.title');
    return count;
  };
}

/** Presses it as often as somebody with a keyboard has to, within reason. */
export async function pressTabUntil(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isThere = () => target.evaluate((element) => element.matches(':focus'));
  for (let presses = 0; presses < 120; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not get there');
}

/** Waits until there are so many of them: lists come after their page, and what is done with goes after the click. */
export const expectCount = (locator: Locator, count: number): Promise<void> =>
  eventually(async () => {
    expect(await locator.count()).toBe(count);
  });

/** An input names its description and its error, as a screen reader reads them. */
export async function expectDescribed(input: Locator, text: RegExp): Promise<void> {
  await eventually(async () => {
    const ids = (await input.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(ids.map((id) => input.page().locator(`[id="${id}"]`).allTextContents()));
    const described = texts.flat().join(' ');
    expect(described).toMatch(text);
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, however minor. */
export const accessibilityViolations = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => {
    if (!window.axe) { ${axe}; }
    const { violations } = await window.axe.run();
    return violations
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
  })()`);

/** Axe finds nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([]);
}
