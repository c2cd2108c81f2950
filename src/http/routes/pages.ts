import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { methodNotAllowed } from '../errors.ts';

/** Restricts pages to this host. */
const headersOf = (scripts: string[], styles: string[]) =>
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

const assets = (directory: string) =>
  express.static(directory, { index: false, redirect: false, acceptRanges: false, maxAge: '1h' });

/** Pages of a large package, which is loaded when somebody opens the first of them. */
export function onFirstUse(load: () => Promise<Router>): RequestHandler {
  let loaded: Promise<Router> | undefined;
  return async (request, response, next) => {
    loaded ??= load();
    const router = await loaded;
    router(request, response, next);
  };
}

const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
  `<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head><body>${body}</body></html>`;

const referenceStart = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});`;

/** API reference, rendered from /openapi.json. */
export async function referencePage(): Promise<Router> {
  // Its main module would load the whole browser bundle into this process.
  const { default: absolutePath } = await import('swagger-ui-dist/absolute-path.js');
  const html = page(
    'PIX payment service: API reference',
    '<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png">',
    '<div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>',
  );
  const router = Router();
  router.use(readOnly, headersOf([], ["'unsafe-inline'"]));
  router.get('/', (_request, response) => void response.type('html').send(html));
  router.get('/start.js', (_request, response) => void response.type('js').send(referenceStart));
  router.use(assets(absolutePath()));
  return router;
}

/** A GraphQL client in the browser, for development. */
export async function explorerPage(): Promise<Router> {
  const { getDistDirectory, renderAltair, renderInitSnippet } = await import('altair-static');
  const options = {
    baseURL: '/explorer/',
    endpointURL: '/graphql',
    disableAccount: true,
    initialHeaders: { 'X-API-Key': '' },
    initialQuery: '{\n  payments(first: 5) {\n    edges { node { id amount status } }\n  }\n}\n',
    initialSettings: { 'alert.disableUpdateNotification': true, 'banners.disable': true },
    serveInitialOptionsInSeperateRequest: 'start.js',
  };
  const html = renderAltair(options);
  const script = renderInitSnippet(options);
  const router = Router();
  router.use(readOnly, headersOf(["'unsafe-eval'"], ["'unsafe-inline'"]));
  router.get('/', (_request, response) => void response.type('html').send(html));
  router.get('/start.js', (_request, response) => void response.type('js').send(script));
  router.use(assets(getDistDirectory()));
  return router;
}
