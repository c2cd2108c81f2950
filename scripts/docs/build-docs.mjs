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
import { readPages, resolveLink, root } from './pages.mjs';
import { render } from './render.mjs';
import { pageHtml } from './template.mjs';

/** The file of it that browsers load without a bundler. */
const searchLibrary = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../umd/index.js');
const assets = join(root, 'scripts', 'docs', 'assets');
const icon = join(root, 'src', 'dashboard', 'icon.svg');

/** The groups of docs/README.md, in its order: a bold line, then links. */
/** @type {(index: string, hrefOf: (file: string) => string | undefined, titleOf: (file: string) => string | undefined) => import('./template.mjs').Group[]} */
function groupsOf(index, hrefOf, titleOf) {
  return index
    .split(/^(?=\*\*)/m)
    .slice(1)
    .map((part) => ({
      title: /^\*\*(.+)\*\*/.exec(part)?.[1] ?? '',
      links: [...part.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].flatMap(([, text = '', link = '']) => {
        const { target } = resolveLink('docs/README.md', link);
        const href = hrefOf(target);
        if (href === undefined) return [];
        const title = text.replace(/^./, (first) => first.toUpperCase());
        return titleOf(target) === undefined ? [] : [{ title, href }];
      }),
    }));
}

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
  const index = bySource.get('docs/README.md')?.markdown ?? '';
  const groups = groupsOf(index, hrefOf, (file) => titles.get(file));
  groups.push({
    title: 'Reference',
    links: [
      { title: 'REST reference', href: '/docs/reference/' },
      { title: 'GraphQL reference', href: '/docs/graphql' },
      { title: 'GraphQL types', href: '/docs/graphql-types' },
      { title: 'OpenAPI document', href: '/openapi.json' },
      { title: 'Changelog', href: '/docs/changelog' },
    ],
  });

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
    write(`${name}.html`, pageHtml({ ...each, href: `/docs/${page.path}`, markdownHref }, groups));
    write(`${name}.md`, withServedLinks(page));
  }
  for (const file of files) {
    mkdirSync(dirname(join(fresh, 'files', file)), { recursive: true });
    copyFileSync(join(root, file), join(fresh, 'files', file));
  }
  // Decisions would be found before what they decided.
  const searched = rendered.filter(({ page }) => !page.path.startsWith('contributing/decisions'));
  const sections = searched.flatMap(({ page, title: pageTitle, sections: found }) =>
    found.map(({ title, anchor, text }) => [
      `/docs/${page.path}${anchor === found[0]?.anchor ? '' : `#${anchor}`}`,
      pageTitle,
      title,
      // Every type and every change is found by its name.
      page.path === 'graphql-types' || page.path === 'changelog' ? text.slice(0, 60) : text,
    ]),
  );
  /** @type {(section: string[]) => boolean} */
  const isReference = ([href = '']) =>
    /^\/docs\/(contributing|graphql|changelog|performance|operating)/.test(href);
  // In parts, because phones load them.
  write('search.json', JSON.stringify(sections.filter((section) => !isReference(section))));
  write('search-reference.json', JSON.stringify(sections.filter(isReference)));
  write('llms.txt', llmsText(rendered));
  for (const name of ['docs.css', 'docs.js']) write(name, readFileSync(join(assets, name), 'utf8'));
  copyFileSync(icon, join(fresh, 'icon.svg'));
  copyFileSync(searchLibrary, join(fresh, 'minisearch.js'));
  const lost = { title: 'Page not found', html: notFound, headings: [], sections: [] };
  write('404.html', pageHtml({ ...lost, href: '/docs/404', markdownHref: '/docs/llms.txt' }, groups));
  rmSync(output, { recursive: true, force: true });
  renameSync(fresh, output);
}

const notFound = `<h1>Page not found</h1>
<p>There is no page at this address. Search for it above, or begin at the <a href="/docs/">first page</a>.</p>`;

/** As https://llmstxt.org has it. */
/** @type {(rendered: { page: import('./pages.mjs').Page, title: string, sections: import('./render.mjs').Section[] }[]) => string} */
function llmsText(rendered) {
  const lines = rendered
    .filter(({ page }) => !page.path.startsWith('contributing'))
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
`;
}
