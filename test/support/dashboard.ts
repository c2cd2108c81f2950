import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import type { Mode } from '../../src/domain/mode.ts';
import type { Role } from '../../src/domain/people/roles.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startChromium } from './chromium.ts';
import { type Client, createClient } from './client.ts';
import { createKey } from './factories.ts';
import { createPerson, newAddress, signIn, type TestPerson } from './people.ts';

const startMilliseconds = 60_000;

export interface DashboardTests {
  app: TestApp;
  /** A page of a browser that knows nobody yet. */
  newPage(): Promise<Page>;
  /** A page at `path` of somebody's organization and mode, signed in. */
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

/** One service and one browser for a file; each test has pages, people and an organization of its own. */
export function dashboardTests(env: Record<string, string> = {}): DashboardTests {
  const started = {} as DashboardTests;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  async function newContext(width = 1360): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      locale: 'en-US',
      timezoneId: 'America/Sao_Paulo',
      reducedMotion: 'reduce',
      extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
    });
    context.setDefaultTimeout(25_000);
    contexts.push(context);
    return context;
  }

  beforeAll(async () => {
    started.app = await startTestApp({ TRUST_PROXY: '1', ...env });
    browser = await startChromium();
  }, startMilliseconds);

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  afterAll(async () => {
    await browser.close();
    await started.app.stop();
  });

  started.newPage = async () => (await newContext()).newPage();

  started.open = async ({ path = '/', mode = 'test', width, ...options } = {}) => {
    const { app } = started;
    const person = await createPerson(app, options);
    const { organizationId } = person;
    const { key } = await createKey(app.services, { organizationId, mode });
    const context = await newContext(width);
    const cookies = (await signIn(app, person)).split('; ').map((cookie) => cookie.split('='));
    await context.addCookies(
      cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url: app.baseUrl })),
    );
    const page = await context.newPage();
    const go = async (to: string) => {
      await page.goto(`${app.baseUrl}/dashboard/${organizationId}/${mode}${to}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    await go(path);
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing that axe calls serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  const found: unknown = await page.evaluate(`(async () => {
    ${axe};
    const { violations } = await window.axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
  })()`);
  expect(found).toEqual([]);
}
