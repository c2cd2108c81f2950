import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { methodNotAllowed } from './errors.ts';

/** Pages may load only from this host. */
export const pageHeaders = (scripts: string[], styles: string[]) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", ...styles],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Set for all responses when the service is reached over https.
    strictTransportSecurity: false,
  });

export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else void methodNotAllowed('GET')(request, response, next);
};

/** Served until the first build is done, because `npm start` does not wait for it. */
export const untilBuilt =
  (directory: string, what: string): RequestHandler =>
  (_request, response, next) => {
    if (existsSync(join(directory, 'index.html'))) {
      next();
      return;
    }
    response.status(503).set({ 'Retry-After': '2', Refresh: '2', 'Cache-Control': 'no-store' });
    response.type('html').send(`<!doctype html><title>One moment</title><p>The ${what} is being built.`);
  };

export const assets = (directory: string) =>
  express.static(directory, { index: false, redirect: false, acceptRanges: false, maxAge: '1h' });

/** Serves pages of a large package, which is loaded when somebody first opens one of them. */
export function onFirstUse(load: () => Promise<Router>): RequestHandler {
  let loaded: Promise<Router> | undefined;
  return async (request, response, next) => {
    loaded ??= load();
    const router = await loaded;
    router(request, response, next);
  };
}

/** Asks for the key before anything is sent, and keeps it only for this tab. */
const explorerStart = (options: object): string => `const start = (key) =>
  AltairGraphQL.init({ ...${JSON.stringify(options)}, initialHeaders: { 'X-API-Key': key } });
const known = sessionStorage.getItem('explorer-key');
if (known) start(known);
else {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'explorer-title');
  dialog.style.cssText = 'font: 16px system-ui; max-width: 26rem; padding: 1.5rem; border: 0; border-radius: 12px';
  dialog.innerHTML =
    '<form method="dialog"><h1 id="explorer-title" style="font-size: 1.25rem; margin: 0 0 .75rem">GraphQL explorer</h1>' +
    '<label>API key <input name="key" required autofocus autocomplete="off" spellcheck="false" placeholder="pk_test_…" ' +
    'style="display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; margin: .25rem 0 .75rem"></label>' +
    '<p style="margin: 0 0 1rem">It is sent as <code>X-API-Key</code>, which <em>Set Headers</em> on the left changes. ' +
    'In a checkout, <code>.data/demo-key</code> has one.</p>' +
    '<button style="font: inherit; padding: .5rem 1.25rem">Open</button></form>';
  document.body.append(dialog);
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  dialog.addEventListener('close', () => {
    const key = dialog.querySelector('input').value.trim();
    sessionStorage.setItem('explorer-key', key);
    start(key);
  });
  dialog.showModal();
}
`;

/** A GraphQL client in the browser, for development. */
export async function explorerPage(): Promise<Router> {
  const { getDistDirectory, renderAltair } = await import('altair-static');
  const options = {
    baseURL: '/explorer/',
    endpointURL: '/graphql',
    disableAccount: true,
    // Otherwise it would keep the key in the browser, and use that one whichever key is entered.
    preserveState: false,
    initialQuery: '{\n  payments(first: 5) {\n    edges { node { id amount status } }\n  }\n}\n',
    initialSettings: { 'alert.disableUpdateNotification': true, 'banners.disable': true },
    serveInitialOptionsInSeperateRequest: 'start.js',
  };
  const html = renderAltair(options);
  const script = explorerStart(options);
  const router = Router();
  router.use(readOnly, pageHeaders(["'unsafe-eval'"], ["'unsafe-inline'"]));
  router.get('/', (_request, response) => void response.type('html').send(html));
  router.get('/start.js', (_request, response) => void response.type('js').send(script));
  router.use(assets(getDistDirectory()));
  return router;
}
