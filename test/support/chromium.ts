import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function requireChromium(): void {
  if (existsSync(executablePath)) return;
  const mayInstall = process.getuid?.() === 0 && succeeds('apt-get', '--version');
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (mayInstall && succeeds('apt-get', 'update') && succeeds('apt-get', ...install)) return;
  throw new Error('The tests of pages need Chromium: apt-get install chromium');
}

/** Debian's, without a window. Give the hook that calls it minutes: it installs what is missing. */
export function startChromium(): Promise<Browser> {
  requireChromium();
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
