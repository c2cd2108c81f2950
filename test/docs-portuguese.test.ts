import { describe, expect, test } from '@jest/globals';
import { isBroken, linksOf, pages, portuguesePages, read, targetOf, withoutBlocks } from './support/pages.ts';

/** Pages that are not translated yet. */
const untranslated = new Set<string>(['docs/performance.md']);

const english = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/contributing/'));
const portugueseOf = (page: string): string => page.replace('docs/', 'docs/pt/');
const pairs = english
  .map((page): [english: string, portuguese: string] => [page, portugueseOf(page)])
  .filter(([, portuguese]) => portuguesePages.includes(portuguese));

const sorted = (found: readonly string[]): string[] => [...found].sort();
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole]) => whole);

/** Pages are named as the English ones are; anchors are compared by leading somewhere. */
const linked = (page: string): string[] =>
  linksOf(page).map((link) =>
    /^https?:/.test(link) ? link : targetOf(page, link).replace('docs/pt/', 'docs/'),
  );

function shapeOf(page: string) {
  const prose = withoutBlocks(page);
  return {
    blocks: matches(read(page), /^( *)```[^]*?^\1```$/gm),
    comments: matches(prose, /<!--[^]*?-->/g),
    headings: matches(prose, /^#+(?= )/gm),
    items: matches(prose, /^ *(?:-|\d+\.)(?= )/gm).length,
    rows: matches(prose, /^ *\|/gm).length,
    links: sorted(linked(page)),
    code: sorted([...new Set(matches(prose, /`[^`]+`/g).map((code) => code.replaceAll(/\s+/g, ' ')))]),
  };
}

describe('the documentation in Portuguese', () => {
  test('has every page of the English one, and no other', () => {
    const missing = english.filter((page) => !portuguesePages.includes(portugueseOf(page)));
    expect(missing.filter((page) => !untranslated.has(page))).toEqual([]);
    expect(portuguesePages.filter((page) => !english.map(portugueseOf).includes(page))).toEqual([]);
  });

  test.each(pairs)('shows the same as %s', (page, translated) => {
    expect(shapeOf(translated)).toEqual(shapeOf(page));
  });

  test.each(portuguesePages)('%s has links that lead somewhere', (page) => {
    const isWaiting = (link: string) => untranslated.has(targetOf(page, link).replace('docs/pt/', 'docs/'));
    expect(linksOf(page).filter((link) => isBroken(page, link) && !isWaiting(link))).toEqual([]);
  });
});
