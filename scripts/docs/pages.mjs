// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { graphqlReference, typesPage } from './graphql-reference.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * `source`: file in the repository, by which pages link to each other. `path`: below /docs.
 * @typedef {{ source: string, path: string, markdown: string, language: import('./words.mjs').Language }} Page
 */

const translations = 'docs/pt/';

/** The file of the same page in the other language, if there may be one. @type {(source: string) => string | undefined} */
export function inOtherLanguage(source) {
  if (source.startsWith(translations)) return source.replace(translations, 'docs/');
  return source.startsWith('docs/') ? source.replace('docs/', translations) : undefined;
}

/** @type {(file: string) => string} */
const read = (file) => readFileSync(join(root, file), 'utf8');

/** Pages of the repository that are not in docs/, with their paths. */
const elsewhere = {
  'packages/sdk/README.md': 'typescript',
  'packages/python/README.md': 'python',
  'packages/php/README.md': 'php',
  'packages/woocommerce/README.md': 'woocommerce',
  'packages/n8n-nodes-pix/README.md': 'n8n',
  'packages/cli/README.md': 'cli',
  'packages/checkout/README.md': 'pix-checkout',
  'packages/br-code/README.md': 'br-code',
  'examples/README.md': 'examples',
  'CHANGELOG.md': 'changelog',
};

/** @type {(file: string) => string} */
const pathOf = (file) =>
  relative('docs', file)
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '$1');

/** @returns {Page[]} */
export function readPages() {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => join('docs', file));
  const others = Object.entries(elsewhere).filter(([file]) => existsSync(join(root, file)));
  const graphql = graphqlReference(read('schema.graphql'));
  const pages = [
    ...inDocs.map((source) => ({ source, path: pathOf(source), markdown: read(source) })),
    ...others.map(([source, path]) => ({ source, path, markdown: read(source) })),
    { source: 'schema.graphql', path: 'graphql', markdown: graphql.operations },
    { source: typesPage, path: typesPage, markdown: graphql.types },
  ];
  return pages.map((page) => ({ ...page, language: page.source.startsWith(translations) ? 'pt' : 'en' }));
}

/** The file in the repository that a link of a page leads to, and the heading there. @type {(source: string, link: string) => { target: string, anchor: string }} */
export function resolveLink(source, link) {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? source : relative(root, resolve(root, dirname(source), path));
  return { target, anchor: anchor === undefined ? '' : `#${anchor}` };
}

/** Makes anchors of headings as GitHub does; a second one of the same name gets a number. */
export function createSlugs() {
  /** @type {Map<string, number>} */
  const used = new Map();
  /** @type {(heading: string) => string} */
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
