import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const read = (file: string) => readFileSync(join(root, file), 'utf8');

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file))
  .sort();

/** What pages of docs/ are translated to; their blocks are those of the English ones. */
export const portuguesePages = inDocs.filter((page) => page.startsWith('docs/pt/'));

/** Every page that users read in English, from the root. */
export const pages = ['README.md', 'CHANGELOG.md', ...inDocs.filter((page) => !page.startsWith('docs/pt/'))];

export interface Block {
  language: string;
  code: string;
  /** The number of its first line of code. */
  line: number;
  /** Preceded by `<!-- not run -->`. */
  isSkipped: boolean;
}

/** The fenced blocks of a page, those in lists without their indentation. */
export function blocksOf(page: string): Block[] {
  const markdown = read(page);
  const fences = markdown.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm);
  return [...fences].map(({ index, 1: indentation = '', 2: language = '', 3: code = '' }) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    line: markdown.slice(0, index).split('\n').length + 1,
    isSkipped: /<!-- not run -->\s*$/.test(markdown.slice(0, index)),
  }));
}

export const withoutBlocks = (page: string): string => read(page).replaceAll(/^( *)```[^]*?^\1```$/gm, '');

/** Makes anchors of headings as GitHub does. */
export const anchorsOf = (page: string): string[] =>
  [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Where the links and pictures of a page lead. */
export function linksOf(page: string): string[] {
  const prose = withoutBlocks(page).replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '));
  return [...prose.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  );
}

/** The file that a link leads to, from the root. */
export const targetOf = (page: string, link: string): string => {
  const [path = ''] = link.split('#');
  return path === '' ? page : relative(root, resolve(root, dirname(page), path));
};

export function isBroken(page: string, link: string): boolean {
  // Badges are GitHub's, beside the files of the repository.
  if (/^https?:|^\.\.\/\.\.\/actions\//.test(link)) return false;
  const [, anchor] = link.split('#');
  const target = targetOf(page, link);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}
