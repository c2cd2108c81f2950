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

/** What people look for by another word, Portuguese ones above all. @type {Record<string, string[]>} */
const otherWords = {
  estorno: ['refund'],
  devolucao: ['refund', 'reversal'],
  cobranca: ['payment', 'charge'],
  pagamento: ['payment'],
  contestacao: ['dispute', 'MED'],
  chargeback: ['dispute'],
  conciliacao: ['books'],
  reconciliation: ['books'],
  recebimentos: ['receipts'],
  vencimento: ['due'],
  boleto: ['due'],
  assinatura: ['recurrence', 'signature'],
  recorrencia: ['recurrence'],
  subscription: ['recurrence', 'live'],
  chave: ['key'],
  segredo: ['secret'],
  saque: ['payout'],
  painel: ['dashboard'],
  regra: ['rule'],
};

/** @type {Promise<any> | undefined} */
let loading;
const index = () =>
  (loading ??= Promise.all(
    ['search', 'search-reference'].map(async (name) => (await fetch(`/docs/${name}.json`)).json()),
  ).then((parts) => {
    const sections = /** @type {Section[]} */ (parts.flat());
    const found = new /** @type {any} */ (window).MiniSearch({
      fields: ['page', 'title', 'text'],
      storeFields: ['section'],
      processTerm: (/** @type {string} */ term) => fold(term),
      searchOptions: {
        combineWith: 'AND',
        prefix: true,
        fuzzy: (/** @type {string} */ term) => (term.length > 4 ? 0.2 : false),
        weights: { prefix: 0.2, fuzzy: 0.1 },
        boost: { title: 3, page: 3 },
        // Guides first.
        boostDocument: (/** @type {number} */ id) =>
          /^\/docs\/(graphql|contributing|changelog)/.test(sections[id]?.[0] ?? '') ? 0.3 : 1,
      },
    });
    found.addAll(
      sections.map((section, id) => ({
        id,
        section,
        page: section[1],
        title: section[2],
        text: section[3],
      })),
    );
    return found;
  }));

/** @type {(typed: string) => Promise<Section[]>} */
async function find(typed) {
  const words = typed.split(/\s+/).filter(Boolean);
  const query = {
    combineWith: 'AND',
    queries: words.map((word) => ({ combineWith: 'OR', queries: [word, ...(otherWords[fold(word)] ?? [])] })),
  };
  const results = words.length > 0 ? (await index()).search(query) : [];
  return results.slice(0, 12).map((/** @type {{ section: Section }} */ { section }) => section);
}

/** The words around the first hit. @type {(text: string, word: string) => string} */
function excerpt(text, word) {
  const at = Math.max(0, fold(text).indexOf(word) - 40);
  return (at > 0 ? '… ' : '') + text.slice(at, at + 140);
}

function addSearch() {
  const input = /** @type {HTMLInputElement} */ (byId('search'));
  const results = byId('results');

  async function show() {
    const [word = ''] = fold(input.value).split(/\s+/).filter(Boolean);
    const found = await find(input.value);
    results.replaceChildren(
      ...found.map(([href, page, title, text]) => {
        const link = document.createElement('a');
        link.href = href;
        const small = document.createElement('small');
        small.textContent = `${page === title ? '' : `${page} · `}${excerpt(text, word)}`;
        link.append(title, small);
        return link;
      }),
    );
    if (word && found.length === 0)
      results.append(Object.assign(document.createElement('p'), { textContent: 'Nothing found.' }));
    results.hidden = !word;
    byId('count').textContent = !word ? '' : `${found.length} results`;
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
