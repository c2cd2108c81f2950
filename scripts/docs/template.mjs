// @ts-check
import { escape } from './render.mjs';

/** @typedef {{ title: string, links: { title: string, href: string }[] }} Group */

/** @type {(groups: Group[], href: string) => string} */
const navigation = (groups, href) =>
  groups
    .map(({ title, links }) => {
      const items = links.map(
        (link) =>
          `<li><a href="${link.href}"${link.href === href ? ' aria-current="page"' : ''}>${escape(link.title)}</a></li>`,
      );
      return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');

/** @type {(headings: import('./render.mjs').Heading[]) => string} */
function contents(headings) {
  const listed = headings.filter(({ depth }) => depth === 2);
  if (listed.length < 2) return '';
  const items = listed.map(({ title, anchor }) => `<li><a href="#${anchor}">${escape(title)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

/** The pages before and after it in the order of the navigation. @type {(groups: Group[], href: string) => string} */
function neighbours(groups, href) {
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex((link) => link.href === href);
  if (at === -1 && href !== '/docs/') return '';
  /** @type {(link: { title: string, href: string } | undefined, rel: string, label: string) => string} */
  const to = (link, rel, label) =>
    link ? `<a rel="${rel}" href="${link.href}"><small>${label}</small>${escape(link.title)}</a>` : '';
  return `<nav class="neighbours" aria-label="Previous and next page">${to(links[at - 1], 'prev', 'Previous')}${to(links[at + 1], 'next', 'Next')}</nav>`;
}

/** @type {(page: import('./render.mjs').Rendered & { href: string, markdownHref: string }, groups: Group[]) => string} */
export const pageHtml = ({ title, html, headings, href, markdownHref }, groups) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)} · PIX payment service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/docs.css">
<link rel="icon" href="/docs/icon.svg">
<link rel="alternate" type="text/markdown" href="${markdownHref}">
<script src="/docs/minisearch.js" defer></script>
<script src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="home" href="/docs/" aria-label="PIX payment service"><img src="/docs/icon.svg" width="24" height="24" alt=""><span>PIX payment service</span></a>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search (/)" aria-label="Search the documentation" autocomplete="off" aria-controls="results">
<div id="results" hidden></div>
<div id="count" class="hidden" role="status"></div>
</div>
<button type="button" id="theme" aria-label="Use the other theme">◐</button>
</header>
<div class="page">
<nav id="navigation" aria-label="Documentation">${navigation(groups, href)}</nav>
<main id="content" tabindex="-1">${html}
${neighbours(groups, href)}
<footer><a href="${markdownHref}">This page as Markdown</a></footer>
</main>
${contents(headings)}
</div>
</body>
</html>
`;
