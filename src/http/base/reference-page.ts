import { Router } from 'express';
import { assets, pageHeaders, readOnly } from './pages.ts';

const style = `<style>
:root { color-scheme: light; --text: #1f2933; --page: #fff; --line: #dce1e7; --accent: #0b6b5c }
:root.dark-mode { color-scheme: dark; --text: #d7dde4; --page: #1c2022; --line: #323b45; --accent: #5fd3be }
body { margin: 0; background: var(--page) }
header, .search { font: 16px/1.6 system-ui, sans-serif; color: var(--text) }
header { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; min-height: 56px; padding: 8px 16px;
  border-bottom: 1px solid var(--line) }
header a { color: var(--accent) }
header .home { display: flex; gap: 8px; align-items: center; margin-right: auto; font-weight: 600; color: var(--text);
  text-decoration: none; white-space: nowrap }
header button, #reference .search input { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px }
header button { padding: 2px 10px }
.search { box-sizing: border-box; max-width: 1460px; margin: 0 auto; padding: 20px 20px 0 }
.search h2 { margin: 0 0 8px; font-size: 20px }
#reference .search input { box-sizing: border-box; width: 100%; max-width: 480px; padding: 8px 12px }
/* Those of Swagger UI are too pale for their texts. */
#reference .opblock .opblock-summary-method { background: #3d4650; color: #fff; text-shadow: none }
#reference .opblock-get .opblock-summary-method { background: #1f5fa8 }
#reference .opblock-post .opblock-summary-method { background: #0b6b4a }
#reference .opblock-patch .opblock-summary-method, #reference .opblock-put .opblock-summary-method { background: #8a4b00 }
#reference .opblock-delete .opblock-summary-method { background: #b3261e }
#reference .info .title small { background: #4a525c }
#reference .info .title small.version-stamp { background: #3f5d00 }
#reference .info .title small pre { color: #fff }
#reference .info a, #reference .info .url, #reference a.link { color: var(--accent) }
#reference .btn.authorize { color: var(--accent); border-color: var(--accent) }
#reference .btn.authorize svg { fill: var(--accent) }
</style>`;

/** That of the documentation, whose styles would change those of the reference. */
const header = `<header>
<a class="home" href="/docs/"><img src="/docs/icon.svg" width="24" height="24" alt="">PIX payment service</a>
<a href="/docs/">Documentation</a><a href="/docs/graphql">GraphQL reference</a><a href="/docs/changelog">Changelog</a>
<button type="button" id="theme" aria-label="Use the other theme">◐</button>
</header>`;

/**
 * Swagger UI itself filters by tag alone, has links within its buttons, which no keyboard can tell apart, and an unnamed
 * choice of the one server that there is. The theme is that of the documentation.
 */
const start = `const root = document.documentElement;
const storedTheme = localStorage.getItem('docs-theme');
const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
root.classList.toggle('dark-mode', storedTheme ? storedTheme === 'dark' : prefersDark);
document.getElementById('theme').addEventListener('click', () => {
  const isDark = root.classList.toggle('dark-mode');
  localStorage.setItem('docs-theme', isDark ? 'dark' : 'light');
});

const textOf = (tag, each) =>
  [tag, each.get('method'), each.get('path'), each.getIn(['operation', 'summary']), each.getIn(['operation', 'description'])]
    .join(' ')
    .toLowerCase();

const search = ({ React }) => ({
  fn: {
    opsFilter: (tags, phrase) =>
      tags
        .map((group, tag) =>
          group.update('operations', (operations) =>
            operations.filter((each) => phrase.toLowerCase().split(' ').every((word) => textOf(tag, each).includes(word))),
          ),
        )
        .filter((group) => group.get('operations').size > 0),
  },
  wrapComponents: {
    InfoContainer: (Original) => (props) =>
      React.createElement('section', { 'aria-label': 'About' }, React.createElement(Original, props)),
  },
  components: {
    ServersContainer: () => null,
    DeepLink: ({ text }) => React.createElement('span', { className: 'nostyle' }, text),
    FilterContainer: ({ layoutSelectors, layoutActions }) => {
      const filter = layoutSelectors.currentFilter();
      return React.createElement('div', { className: 'search', role: 'search' },
        React.createElement('h2', null, 'Operations'),
        React.createElement('input', {
          type: 'search',
          'aria-label': 'Search operations',
          placeholder: 'Search operations, such as refund',
          value: typeof filter === 'string' ? filter : '',
          onChange: ({ target }) => layoutActions.updateFilter(target.value || true),
        }),
      );
    },
  },
});

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  plugins: [search],
  // Each operation shows its own.
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  persistAuthorization: false,
});`;

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>REST reference · PIX payment service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/reference/swagger-ui.css"><link rel="icon" href="/docs/icon.svg">${style}</head>
<body>${header}<div id="reference"></div>
<script src="/docs/reference/swagger-ui-bundle.js"></script><script src="/docs/reference/start.js"></script></body></html>`;

/** API reference, rendered from /openapi.json. */
export async function referencePage(): Promise<Router> {
  // The main module would load the whole browser bundle into this process.
  const { default: absolutePath } = await import('swagger-ui-dist/absolute-path.js');
  const router = Router();
  router.use(readOnly, pageHeaders([], ["'unsafe-inline'"]));
  router.get('/', (_request, response) => void response.type('html').send(html));
  router.get('/start.js', (_request, response) => void response.type('js').send(start));
  router.use(assets(absolutePath()));
  return router;
}
