import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Every page that users read, from the root. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file))
    .sort(),
];

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
