import { existsSync } from 'node:fs';
import type * as Playwright from 'playwright-core';
import { importNatively } from './import-natively.ts';

const { chromium } = await importNatively<typeof Playwright>('playwright-core');

/** Debian's. The shell has no window and costs half. */
const executables = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The start of the run has installed one where it may. */
export function startChromium(): Promise<Playwright.Browser> {
  const executablePath = executables.find((path) => existsSync(path));
  if (!executablePath) throw new Error('The tests of pages need Chromium: apt-get install chromium');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
