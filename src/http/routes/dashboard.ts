import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import { readOnly, untilBuilt } from '../base/pages.ts';

/** Allows scripts only from this service, and none inline. Styles may be inline, because the component library sets them. */
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
  // Downloads fall back to the Referer where the browser sends no Sec-Fetch-Site.
  referrerPolicy: { policy: 'same-origin' },
  // Set for all responses when the service is reached over https.
  strictTransportSecurity: false,
});

/** Serves the web application built into `directory`: its files, and its page for any other path. */
export function dashboardPages(directory: string, isProduction: boolean): RequestHandler {
  const files = sirv(directory, {
    // Looks files up on each request, so that a rebuild is picked up.
    dev: !isProduction,
    single: true,
    brotli: true,
    gzip: true,
    setHeaders(response, path) {
      // Files in assets have a content hash in their name.
      const isNamedByContent = path.startsWith('/assets/');
      response.setHeader(
        'Cache-Control',
        isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  const handlers = isProduction ? [files] : [untilBuilt(directory, 'dashboard'), files];
  return Router().use(readOnly, protect, ...handlers);
}
