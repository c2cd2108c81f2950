import { join, resolve } from 'node:path';
import { test } from '@jest/globals';
import type { Page } from 'playwright-core';

const directory = resolve(import.meta.dirname, '../../docs/screenshots');

/** Draws a picture of the documentation anew: only `npm run screenshots` runs it. */
export const screenshotTest = process.env['SCREENSHOTS'] ? test : test.skip;

export const draw = async (page: Page, name: string): Promise<void> => {
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled', caret: 'hide' });
};
