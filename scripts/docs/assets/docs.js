const root = document.documentElement;
const storedTheme = localStorage.getItem('docs-theme');
if (storedTheme) root.dataset.theme = storedTheme;

// Addresses of operations from when the REST reference was here.
if (location.pathname.replace(/\/$/, '') === '/docs' && location.hash.startsWith('#/'))
  location.replace(`/docs/reference/${location.hash}`);

const isPortuguese = root.lang === 'pt-BR';
const folder = isPortuguese ? '/docs/pt/' : '/docs/';
const words = isPortuguese
  ? {
      copy: 'Copiar',
      copied: 'Copiado',
      nothing: 'Nada encontrado.',
      results: 'resultados',
      tabs: 'Linguagem',
    }
  : { copy: 'Copy', copied: 'Copied', nothing: 'Nothing found.', results: 'results', tabs: 'Language' };

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
    button.textContent = words.copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = words.copied;
      setTimeout(() => (button.textContent = words.copy), 2000);
    });
    // Without a secure context browsers have no clipboard.
    if (navigator.clipboard) block.append(button);
  }
}

/** Shows one language of each group, of the one that was chosen last. */
function addTabs() {
  const groups = [...document.querySelectorAll('.tabs')].map((group) => {
    const panels = [...group.querySelectorAll(':scope > section')].map(
      (panel) => /** @type {HTMLElement} */ (panel),
    );
    const list = document.createElement('div');
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', words.tabs);
    const tabs = panels.map((panel) => {
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.textContent = panel.dataset.label ?? '';
      tab.setAttribute('role', 'tab');
      tab.addEventListener('click', () => {
        localStorage.setItem('docs-program', panel.dataset.tab ?? '');
        choose(panel.dataset.tab);
      });
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-label', tab.textContent);
      return tab;
    });
    list.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      const at = tabs.findIndex((tab) => tab === document.activeElement);
      const next = tabs[(at + step + tabs.length) % tabs.length];
      if (step === 0 || !next) return;
      next.focus();
      next.click();
    });
    list.append(...tabs);
    group.prepend(list);
    return { panels, tabs };
  });

  /** @type {(program: string | null | undefined) => void} */
  function choose(program) {
    for (const { panels, tabs } of groups) {
      const chosen = panels.find(({ dataset }) => dataset.tab === program) ?? panels[0];
      panels.forEach((panel, at) => {
        panel.hidden = panel !== chosen;
        tabs[at]?.setAttribute('aria-selected', String(panel === chosen));
        if (tabs[at]) tabs[at].tabIndex = panel === chosen ? 0 : -1;
      });
    }
  }

  function followAddress() {
    const heading = byId(decodeURIComponent(location.hash.slice(1)));
    const panel = /** @type {HTMLElement | null} */ (heading?.closest('.tabs > section') ?? null);
    if (panel?.hidden) choose(panel.dataset.tab);
    panel?.closest('.tabs')?.scrollIntoView();
  }

  choose(localStorage.getItem('docs-program'));
  followAddress();
  addEventListener('hashchange', followAddress);
}

/** Shows the reader's address and test key in the examples. */
function addOwn() {
  const marked = [...document.querySelectorAll('[data-own]')].map(
    (each) => /** @type {HTMLElement} */ (each),
  );
  const control = byId('own');
  const form = control?.querySelector('form');
  if (!control || !form) return;
  const fields = [...form.querySelectorAll('input')];
  const examples = new Map(marked.map((each) => [each, each.textContent]));
  const show = () => {
    for (const { name, value } of fields)
      for (const each of marked.filter(({ dataset }) => dataset.own === name))
        each.textContent = value.replace(/\/$/, '') || (examples.get(each) ?? '');
  };
  for (const field of fields) {
    field.value = localStorage.getItem(`docs-${field.name}`) ?? '';
    if (!field.checkValidity()) field.value = '';
  }
  show();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const { name, value } of fields) localStorage.setItem(`docs-${name}`, value);
    show();
    control.removeAttribute('open');
  });
  const example = marked[0]?.closest('.tabs') ?? marked[0]?.closest('.code');
  example?.before(control);
  control.hidden = false;
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

/** Portuguese pages say many of them in Portuguese. @type {(word: string) => string[]} */
const alike = (word) => [
  ...(otherWords[word] ?? []),
  ...(isPortuguese ? Object.keys(otherWords).filter((other) => otherWords[other]?.includes(word)) : []),
];

/** @type {Promise<any> | undefined} */
let loading;
const index = () =>
  (loading ??= Promise.all(
    ['search', 'search-reference'].map(async (name) => (await fetch(`${folder}${name}.json`)).json()),
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
    queries: words.map((word) => ({ combineWith: 'OR', queries: [word, ...alike(fold(word))] })),
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
      results.append(Object.assign(document.createElement('p'), { textContent: words.nothing }));
    results.hidden = !word;
    byId('count').textContent = !word ? '' : `${found.length} ${words.results}`;
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
  addTabs();
  addOwn();
  addSearch();
});
