import { describe, expect, test } from '@jest/globals';
import { isBroken, linksOf, pages, portuguesePages, read, targetOf, withoutBlocks } from './support/pages.ts';

const english = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/contributing/'));
const portugueseOf = (page: string): string => page.replace('docs/', 'docs/pt/');

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
    expect(portuguesePages).toEqual(sorted(english.map(portugueseOf)));
  });

  test.each(english)('shows the same as %s', (page) => {
    expect(shapeOf(portugueseOf(page))).toEqual(shapeOf(page));
  });

  test.each(portuguesePages)('%s has links that lead somewhere', (page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
  });
});
