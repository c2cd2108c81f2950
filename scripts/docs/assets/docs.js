const root = document.documentElement;
const storedTheme = localStorage.getItem('docs-theme');
if (storedTheme) root.dataset.theme = storedTheme;

// Addresses of operations from when the REST reference was here.
if (location.pathname.replace(/\/$/, '') === '/docs' && location.hash.startsWith('#/'))
  location.replace(`/docs/reference/${location.hash}`);

/** @type {<E extends HTMLElement = HTMLElement>(id: string) => E} */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

function addTheme() {
  byId('theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    localStorage.setItem('docs-theme', root.dataset.theme);
  });
}

function addMenu() {
  const menu = byId('menu');
  menu.addEventListener('click', () => {
    const isOpen = byId('navigation').classList.toggle('open');
    menu.setAttribute('aria-expanded', String(isOpen));
  });
}

function addCopying() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    // Without a secure context browsers have no clipboard.
    if (navigator.clipboard) block.append(button);
  }
}

/** @type {(text: string) => string} */
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** @typedef {[href: string, page: string, title: string, text: string]} Section */

/** Every word must occur; a word in a title counts more. @type {(section: string[], words: string[]) => number} */
function score([, page = '', title = '', text = ''], words) {
  let sum = 0;
  for (const word of words) {
    const found =
      (title.includes(word) ? 8 : 0) + (page.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0);
    if (found === 0) return 0;
    sum += found;
  }
  return sum;
}

/** The words around the first hit. @type {(text: string, word: string) => string} */
function excerpt(text, word) {
  const at = Math.max(0, fold(text).indexOf(word) - 40);
  return (at > 0 ? '… ' : '') + text.slice(at, at + 140);
}

/** @type {Promise<{ section: Section, folded: string[] }[]> | undefined} */
let loading;
const index = () =>
  (loading ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then((/** @type {Section[]} */ sections) =>
      sections.map((section) => ({ section, folded: section.map(fold) })),
    ));

function addSearch() {
  const input = /** @type {HTMLInputElement} */ (byId('search'));
  const results = byId('results');

  async function show() {
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    const sections = words.length > 0 ? await index() : [];
    const found = sections
      .map(({ section, folded }) => ({ section, score: score(folded, words) }))
      .filter((each) => each.score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12);
    results.replaceChildren(
      ...found.map(({ section: [href, page, title, text] }) => {
        const link = document.createElement('a');
        link.href = href;
        const small = document.createElement('small');
        small.textContent = `${page === title ? '' : `${page} · `}${excerpt(text, words[0] ?? '')}`;
        link.append(title, small);
        return link;
      }),
    );
    if (words.length > 0 && found.length === 0)
      results.append(Object.assign(document.createElement('p'), { textContent: 'Nothing found.' }));
    results.hidden = words.length === 0;
    byId('count').textContent = words.length === 0 ? '' : `${found.length} results`;
  }

  const close = () => {
    results.hidden = true;
  };
  input.addEventListener('focus', () => void index());
  input.addEventListener('input', () => void show());
  results.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (!input.parentElement?.contains(/** @type {Node} */ (event.target))) close();
  });
  document.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    if (event.key === '/' && document.activeElement === document.body) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') {
      close();
    } else if (!results.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const next = at + (event.key === 'ArrowDown' ? 1 : -1);
      (links[next] ?? input).focus();
    } else if (event.key === 'Enter' && document.activeElement === input) {
      links[0]?.click();
    }
  });
}

document.addEventListener('DOMContentLoaded', () => {
  addTheme();
  addMenu();
  addCopying();
  addSearch();
});
