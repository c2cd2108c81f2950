// @ts-check
// The pages under /docs: HTML of the Markdown in docs/, an index for the search, and llms.txt.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inOtherLanguage, readPages, resolveLink, root } from './pages.mjs';
import { render } from './render.mjs';
import { pageHtml } from './template.mjs';
import { wordsOf } from './words.mjs';

/** The file of it that browsers load without a bundler. */
const searchLibrary = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../umd/index.js');
const assets = join(root, 'scripts', 'docs', 'assets');
const icon = join(root, 'src', 'dashboard', 'icon.svg');

/** @type {import('./words.mjs').Language[]} */
const languages = ['en', 'pt'];

/** The groups of an index, in its order: a bold line, then links. */
/** @type {(index: import('./pages.mjs').Page | undefined, hrefOf: (file: string) => string | undefined, titleOf: (file: string) => string | undefined) => import('./template.mjs').Group[]} */
function groupsOf(index, hrefOf, titleOf) {
  if (!index) return [];
  return index.markdown
    .split(/^(?=\*\*)/m)
    .slice(1)
    .map((part) => ({
      title: /^\*\*(.+)\*\*/.exec(part)?.[1] ?? '',
      links: [...part.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].flatMap(([, text = '', link = '']) => {
        const { target } = resolveLink(index.source, link);
        const href = hrefOf(target);
        if (href === undefined) return [];
        const title = text.replace(/^./, (first) => first.toUpperCase());
        return titleOf(target) === undefined ? [] : [{ title, href }];
      }),
    }));
}

/** What the search knows of a page. @type {(rendered: { page: import('./pages.mjs').Page } & import('./render.mjs').Rendered) => string[][]} */
const sectionsFound = ({ page, title: pageTitle, sections }) =>
  sections.map(({ title, anchor, text }) => [
    `/docs/${page.path}${anchor === sections[0]?.anchor ? '' : `#${anchor}`}`,
    pageTitle,
    title,
    // Every type and every change is found by its name.
    page.path === 'graphql-types' || page.path === 'changelog' ? text.slice(0, 60) : text,
  ]);

/** Files that pages link to or show, and that are no pages: configurations, scripts, the schema, pictures. */
const servedFolders = ['deploy/', 'prisma/releases.json', 'packages/', 'examples/', 'docs/screenshots/'];

/** @type {(output: string) => void} */
export function buildDocs(output) {
  const fresh = `${output}-new`;
  rmSync(fresh, { recursive: true, force: true });
  /** @type {(path: string, content: string) => void} */
  const write = (path, content) => {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), content);
  };
  const pages = readPages();
  const bySource = new Map(pages.map((page) => [page.source, page]));
  /** @type {(page: import('./pages.mjs').Page) => import('./pages.mjs').Page | undefined} */
  const translationOf = ({ source }) => bySource.get(inOtherLanguage(source) ?? '');
  const files = new Set();
  /** @type {(file: string) => string | undefined} */
  const hrefOf = (file) => {
    const page = bySource.get(file);
    if (page) return `/docs/${page.path}`;
    const isServed = servedFolders.some((folder) => file.startsWith(folder)) && existsSync(join(root, file));
    if (!isServed || statSync(join(root, file)).isDirectory()) return undefined;
    files.add(file);
    return `/docs/files/${file}`;
  };

  const rendered = pages.map((page) => ({ page, ...render(page, hrefOf) }));
  const titles = new Map(rendered.map(({ page, title }) => [page.source, title]));
  /** @type {(language: import('./words.mjs').Language) => import('./template.mjs').Group[]} */
  const navigationOf = (language) => {
    const { folder, reference } = wordsOf[language];
    const index = bySource.get(`docs/${folder}README.md`);
    return [
      ...groupsOf(index, hrefOf, (file) => titles.get(file)),
      {
        title: reference.title,
        links: [
          { title: reference.rest, href: '/docs/reference/' },
          { title: reference.graphql, href: '/docs/graphql' },
          { title: reference.graphqlTypes, href: '/docs/graphql-types' },
          { title: reference.openapi, href: '/openapi.json' },
          { title: reference.changelog, href: '/docs/changelog' },
        ],
      },
    ];
  };
  const groups = { en: navigationOf('en'), pt: navigationOf('pt') };
  /** @type {(language: import('./words.mjs').Language) => string} */
  const otherStart = (language) => `/docs/${wordsOf[language === 'en' ? 'pt' : 'en'].folder}`;

  /** @type {(page: import('./pages.mjs').Page) => string} */
  const withServedLinks = ({ source, markdown }) =>
    markdown.replaceAll(/\]\(([^)\s]+)\)/g, (whole, /** @type {string} */ link) => {
      if (/^(https?:|#)/.test(link)) return whole;
      const { target, anchor } = resolveLink(source, link);
      const href = hrefOf(target);
      return href === undefined ? whole : `](${href}${anchor})`;
    });

  for (const { page, ...each } of rendered) {
    const isIndex = page.path === '' || page.path.endsWith('/');
    const name = isIndex ? `${page.path}index` : page.path;
    const markdownHref = `/docs/${name}.md`;
    const { language } = page;
    const translated = translationOf(page);
    const other = translated ? `/docs/${translated.path}` : otherStart(language);
    const isTranslated = translated !== undefined;
    const filled = { ...each, href: `/docs/${page.path}`, markdownHref, language, other, isTranslated };
    write(`${name}.html`, pageHtml(filled, groups[language]));
    write(`${name}.md`, withServedLinks(page));
  }
  for (const file of files) {
    mkdirSync(dirname(join(fresh, 'files', file)), { recursive: true });
    copyFileSync(join(root, file), join(fresh, 'files', file));
  }
  // Decisions would be found before what they decided.
  const searched = rendered.filter(({ page }) => !page.path.startsWith('contributing/decisions'));
  /** @type {(section: string[]) => boolean} */
  const isReference = ([href = '']) =>
    /^\/docs\/(pt\/)?(contributing|graphql|changelog|performance|operating|high-availability|alerts)/.test(
      href,
    );
  for (const language of languages) {
    // What is not translated is found in English.
    const sections = searched
      .filter(({ page }) => page.language === language || !translationOf(page))
      .flatMap(sectionsFound);
    // In parts, because phones load them.
    const { folder } = wordsOf[language];
    write(`${folder}search.json`, JSON.stringify(sections.filter((section) => !isReference(section))));
    write(`${folder}search-reference.json`, JSON.stringify(sections.filter(isReference)));
  }
  write('llms.txt', llmsText(rendered));
  for (const name of ['docs.css', 'docs.js']) write(name, readFileSync(join(assets, name), 'utf8'));
  copyFileSync(icon, join(fresh, 'icon.svg'));
  copyFileSync(searchLibrary, join(fresh, 'minisearch.js'));
  for (const language of languages) {
    const { folder, lost, lostText, firstPage } = wordsOf[language];
    const html = `<h1>${lost}</h1>\n<p>${lostText} <a href="/docs/${folder}">${firstPage}</a>.</p>`;
    const page = { title: lost, html, headings: [], sections: [], href: '/docs/404', language };
    const other = { other: otherStart(language), isTranslated: false };
    write(
      `${folder}404.html`,
      pageHtml({ ...page, ...other, markdownHref: '/docs/llms.txt' }, groups[language]),
    );
  }
  rmSync(output, { recursive: true, force: true });
  renameSync(fresh, output);
}

/** As https://llmstxt.org has it. */
/** @type {(rendered: { page: import('./pages.mjs').Page, title: string, sections: import('./render.mjs').Section[] }[]) => string} */
function llmsText(rendered) {
  const lines = rendered
    .filter(({ page }) => page.language === 'en' && !page.path.startsWith('contributing'))
    .map(({ page, title, sections }) => {
      const isIndex = page.path === '' || page.path.endsWith('/');
      const [first = ''] = /^.*?[.:](?=\s|$)/.exec(sections[0]?.text ?? '') ?? [];
      return `- [${title}](/docs/${isIndex ? `${page.path}index` : page.path}.md)${first && `: ${first.replace(/[.:]$/, '')}`}`;
    });
  return `# PIX payment service

> A self-hosted service for PIX payments in Brazil: REST for back ends, GraphQL for front ends, signed webhooks. Keys that begin with pk_test_ work in a sandbox, in which no money moves.

## Documentation

${lines.join('\n')}

## Reference

- [OpenAPI document](/openapi.json): every REST operation with its schemas and examples
- [Documentation in Portuguese](/docs/pt/index.md)
`;
}
