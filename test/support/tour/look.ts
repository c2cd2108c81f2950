import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../dashboard.ts';

export const languages = ['pt', 'en'] as const;
const schemes = ['light', 'dark'] as const;
const widths = [1440, 390] as const;
const height = 900;
/** A picture shows what a dialog scrolls to as well. */
const dialogHeight = 1800;
const narrowest = 320;
const widest = 1920;
const step = 40;

export type Language = (typeof languages)[number];

/** Looks at what a page shows, in both themes and several widths, and collects what is wrong with it. Screenshots go to `TOUR_DIRECTORY`. */
export interface Look {
  problems: string[];
  at(page: Page, name: string, language: Language): Promise<void>;
  /** Whether anything is wider than the window, from a small phone to a large screen. */
  overflowOf(page: Page, name: string): Promise<void>;
}

export async function chooseLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate(`localStorage.setItem('pix-language', '${language}')`);
}

/** Chooses it as another tab does. */
const chooseScheme = (page: Page, scheme: string) =>
  page.evaluate(`
    localStorage.setItem('mantine-color-scheme-value', '${scheme}');
    window.dispatchEvent(new StorageEvent('storage', {
      key: 'mantine-color-scheme-value', newValue: '${scheme}', storageArea: localStorage,
    }));
  `);

/** Once the layout has followed the size of the window, and what slides has arrived. */
const settled = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const moving = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(moving.map(({ finished }) => finished));
})()`;

/** What of the page is wider than its window, and texts that nobody can reach. */
const wideParts = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? ['the page: ' + scrollWidth] : [];
  for (const dialog of document.querySelectorAll('[role=dialog]'))
    if (dialog.scrollWidth > dialog.clientWidth) found.push('a dialog: ' + dialog.scrollWidth);
  const isScrolled = (element) => element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || isScrolled(element.parentElement));
  // A table scrolls between a phone and a large screen alone: elsewhere nobody looks for what is beside it.
  if (clientWidth <= 768 || clientWidth >= 1440)
    for (const { parentElement, scrollWidth, offsetWidth } of document.querySelectorAll('main table'))
      if (parentElement && offsetWidth > parentElement.clientWidth + 1)
        found.push('a table: ' + offsetWidth + ' in ' + parentElement.clientWidth);
      else if (scrollWidth > offsetWidth + 1) found.push('in a table: ' + scrollWidth + ' in ' + offsetWidth);
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() || isScrolled(parent)) continue;
    const style = getComputedStyle(parent);
    if (style.position === 'absolute' || style.textOverflow === 'ellipsis') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width } = range.getBoundingClientRect();
    if (width > 1 && (right > clientWidth + 1 || left < -1)) found.push('text: ' + node.data.slice(0, 40));
  }
  return found;
})()`;

export async function createLook(): Promise<Look> {
  const directory = process.env['TOUR_DIRECTORY'];
  if (directory) await mkdir(directory, { recursive: true });
  const problems: string[] = [];
  return {
    problems,

    async at(page, name, language) {
      for (const scheme of schemes) {
        await chooseScheme(page, scheme);
        for (const width of widths) {
          await page.setViewportSize({ width, height });
          if (!directory) continue;
          await page.evaluate(settled);
          const path = join(directory, `${name}.${language}.${scheme}.${width}.jpg`);
          const isDialog = (await page.getByRole('dialog').count()) > 0;
          if (isDialog) {
            await page.setViewportSize({ width, height: dialogHeight });
            await page.evaluate(settled);
          }
          await page.screenshot({
            path,
            type: 'jpeg',
            quality: 75,
            fullPage: !isDialog,
            animations: 'disabled',
          });
        }
        await page.evaluate(settled);
        for (const violation of await accessibilityViolations(page))
          problems.push(`${name}, ${language}, ${scheme}: ${violation}`);
      }
    },

    async overflowOf(page, name) {
      for (let width = narrowest; width <= widest; width += step) {
        await page.setViewportSize({ width, height });
        const found: string[] = await page.evaluate(`${settled}.then(() => ${wideParts})`);
        problems.push(...found.map((part) => `${name} at ${width}: ${part}`));
      }
    },
  };
}
