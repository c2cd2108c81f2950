// @ts-check
import { escape } from './render.mjs';
import { wordsOf } from './words.mjs';

/**
 * `other`: where the page, or else the first one, is in the other language. `isTranslated`: whether it is the same page.
 * @typedef {{ title: string, links: { title: string, href: string }[] }} Group
 * @typedef {import('./words.mjs').Words} Words
 * @typedef {import('./words.mjs').Language} Language
 * @typedef {import('./render.mjs').Rendered & { href: string, markdownHref: string, language: Language, other: string, isTranslated: boolean }} Filled
 */

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

/** @type {(headings: import('./render.mjs').Heading[], words: Words) => string} */
function contents(headings, { onThisPage }) {
  const listed = headings.filter(({ depth }) => depth === 2);
  if (listed.length < 2) return '';
  const items = listed.map(({ title, anchor }) => `<li><a href="#${anchor}">${escape(title)}</a></li>`);
  return `<nav class="contents" aria-label="${onThisPage}"><h2>${onThisPage}</h2><ul>${items.join('')}</ul></nav>`;
}

/** The pages before and after it in the order of the navigation. @type {(groups: Group[], href: string, words: Words) => string} */
function neighbours(groups, href, words) {
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex((link) => link.href === href);
  if (at === -1 && href !== `/docs/${words.folder}`) return '';
  /** @type {(link: { title: string, href: string } | undefined, rel: string, label: string) => string} */
  const to = (link, rel, label) =>
    link ? `<a rel="${rel}" href="${link.href}"><small>${label}</small>${escape(link.title)}</a>` : '';
  return `<nav class="neighbours" aria-label="${words.neighbours}">${to(links[at - 1], 'prev', words.previous)}${to(links[at + 1], 'next', words.next)}</nav>`;
}

/** Moved before the first example by the script, without which it does nothing. @type {(words: Words) => string} */
const own = (words) => `<details id="own" hidden>
<summary>${words.own}</summary>
<form>
<label>${words.ownAddress}
<input name="address" type="url" autocomplete="off" placeholder="https://pix.example.com" pattern="https?://[\\w.:\\[\\]\\-]+/?" title="${words.ownAddressFormat}"></label>
<label>${words.ownKey}
<input name="key" autocomplete="off" spellcheck="false" placeholder="pk_test_…" pattern="pk_test_[\\w\\-]+" title="${words.ownReason}"></label>
<button>${words.ownShow}</button>
<p>${words.ownReason}</p>
</form>
</details>
`;

/** @type {(page: Filled, groups: Group[]) => string} */
export function pageHtml(page, groups) {
  const { title, html, headings, href, markdownHref, language } = page;
  const words = wordsOf[language];
  const others = wordsOf[language === 'en' ? 'pt' : 'en'];
  return `<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8">
<title>${escape(title)} · ${words.product}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/docs.css">
<link rel="icon" href="/docs/icon.svg">
<link rel="alternate" type="text/markdown" href="${markdownHref}">
${page.isTranslated ? `<link rel="alternate" hreflang="${others.lang}" href="${page.other}">\n` : ''}<script src="/docs/minisearch.js" defer></script>
<script src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">${words.menu}</button>
<a class="home" href="/docs/${words.folder}" aria-label="${words.product}"><img src="/docs/icon.svg" width="24" height="24" alt=""><span>${words.product}</span></a>
<div class="search" role="search">
<input type="search" id="search" placeholder="${words.search}" aria-label="${words.searchLabel}" autocomplete="off" aria-controls="results">
<div id="results" hidden></div>
<div id="count" class="hidden" role="status"></div>
</div>
<a class="language" href="${page.other}" lang="${others.lang}" hreflang="${others.lang}" title="${others.name}"><span>${others.name}</span><span>${others.short}</span></a>
<button type="button" id="theme" aria-label="${words.theme}">◐</button>
</header>
<div class="page">
<nav id="navigation" aria-label="${words.navigation}">${navigation(groups, href)}</nav>
<main id="content" tabindex="-1">${html}
${html.includes('data-own=') ? own(words) : ''}${neighbours(groups, href, words)}
<footer><a href="${markdownHref}">${words.markdown}</a></footer>
</main>
${contents(headings, words)}
</div>
</body>
</html>
`;
}
