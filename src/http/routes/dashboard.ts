import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import { readOnly } from './pages.ts';

/** Scripts of this service alone, none of them in a page. The component library sets styles of elements. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Where a browser does not say which site a download comes from, its Referer has to.
  referrerPolicy: { policy: 'same-origin' },
  // Of every answer, where the service is reached over https.
  strictTransportSecurity: false,
});

/** The web application, built into `directory`: its files, and its one page for every path of it. */
export function dashboardPages(directory: string, isProduction: boolean): RequestHandler {
  const files = sirv(directory, {
    // Looks at the files at each request, so that what is built anew is served.
    dev: !isProduction,
    single: true,
    brotli: true,
    gzip: true,
    setHeaders(response, path) {
      // Files under assets are named after their content.
      const isNamedByContent = path.startsWith('/assets/');
      response.setHeader(
        'Cache-Control',
        isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  return Router().use(readOnly, protect, files);
}
