import { randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Router } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import helmet from 'helmet';
import type { Logger } from '../../observability/logger.ts';
import type { Checkout } from '../../core/checkout/checkout.ts';
import type { Consents } from '../../core/checkout/consents.ts';
import type { LinkCheckout } from '../../core/checkout/link-checkout.ts';
import type { LiveSessions } from '../../core/live/live-sessions.ts';
import { methodNotAllowed, reportError, routeNotFound } from '../base/errors.ts';
import { countAtMost } from '../limits/count-at-most.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';
import { readOnly } from '../base/pages.ts';
import { type CheckoutAssets, checkoutAssets } from './assets.ts';
import { consentRoutes } from './consent-routes.ts';
import { languageOf } from './language.ts';
import { linkRoutes } from './link-routes.ts';
import { checkoutPage, messagePage } from './page.ts';

export interface CheckoutDependencies {
  checkout: Checkout;
  linkCheckout: LinkCheckout;
  consents: Consents;
  liveSessions: Pick<LiveSessions, 'open'>;
  addressStore: RateLimitStore;
  logger: Logger;
  now: () => Date;
  /** Folder of the built files that the pages load. */
  checkoutDirectory: string;
  settings: { isProduction: boolean; publicUrl: string };
}

/** High, because many payers share an address of a mobile network. */
const requestsPerAddress = 600;
const requestsPerPayment = 120;
/** Shorter than proxies wait: those in deploy/ take a node that says nothing for 20 s for one that hangs. */
export const longestWaitMs = 15_000;
/** Pages that may not wait, and those of a payment without a code, ask again after this. */
const askAgainSeconds = 2;

/** Not if somebody asks only for the head of the page, or a browser reads ahead. */
const isForPayer = ({ method, headers }: Request): boolean =>
  method === 'GET' && !headers['sec-purpose']?.includes('prefetch');

/** A new one for each response. */
const nonceOf = ({ locals }: Response): string => {
  const known = locals as { nonce?: string };
  known.nonce ??= randomBytes(16).toString('base64url');
  return known.nonce;
};

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as Response)}'`],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  // Anyone with the address of a page can open it, so it must not leak.
  referrerPolicy: { policy: 'no-referrer' },
  // Set for all responses when the service is reached over https.
  strictTransportSecurity: false,
});

const unlisted: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  response.setHeader('Cache-Control', 'no-store');
  response.vary('Accept-Language');
  next();
};

function send(request: Request, response: Response, status: number, page: string): void {
  response.status(status).setHeader('Content-Language', languageOf(request));
  response.type('html').send(page);
}

const framesOf = (paths: () => CheckoutAssets) => (request: Request, response: Response) => ({
  language: languageOf(request),
  assets: paths(),
  nonce: nonceOf(response),
});

/** Programs are told in JSON, whatever they accept: some name HTML first. */
const isForPrograms = ({ path }: Request): boolean => /^\/(v\d+|graphql|auth|psp)(\/|$)/.test(path);

/** Tells people in words that there is nothing at an address. */
export function lostPages({
  checkoutDirectory,
  settings,
}: Pick<CheckoutDependencies, 'checkoutDirectory' | 'settings'>): RequestHandler {
  const { paths } = checkoutAssets(checkoutDirectory, settings.isProduction);
  const frameOf = framesOf(paths);
  const pages = Router().use(protect, unlisted, (request, response) => {
    send(request, response, 404, messagePage(frameOf(request, response), 'notFound'));
  });
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && !isForPrograms(request) && request.accepts('json', 'html') === 'html')
      pages(request, response, next);
    else next();
  };
}

type WithToken = Request<{ token: string }>;

/** The pages on which payers pay, below /pay. */
export function checkoutRoutes(dependencies: CheckoutDependencies): Router {
  const { checkout, liveSessions, addressStore, logger, now, checkoutDirectory, settings } = dependencies;
  const { files, paths } = checkoutAssets(checkoutDirectory, settings.isProduction);
  const frameOf = framesOf(paths);

  const limited: RequestHandler = async (request, _response, next) => {
    await countAtMost(addressStore, requestsPerAddress, `pay:${ipKeyGenerator(request.ip ?? '')}`);
    next();
  };

  /** False for a token that was never given out. */
  async function isCounted(token: string): Promise<boolean> {
    const id = checkout.idOf(token);
    if (id !== undefined) await countAtMost(addressStore, requestsPerPayment, `pay:${id}`);
    return id !== undefined;
  }

  const sendNotFound = (request: Request, response: Response) => {
    send(request, response, 404, messagePage(frameOf(request, response), 'notFound'));
  };

  const show = async (request: WithToken, response: Response): Promise<void> => {
    const { token } = request.params;
    const look = isForPayer(request) ? checkout.open : checkout.read;
    const view = (await isCounted(token)) ? await look(token) : undefined;
    if (!view) {
      sendNotFound(request, response);
      return;
    }
    send(request, response, 200, checkoutPage(frameOf(request, response), view, token, now()));
  };

  /** Responds with the page once it differs from `?after=`, or with 204 if it is still the same after a while. */
  const changes = async (request: WithToken, response: Response): Promise<void> => {
    const { token } = request.params;
    const { after } = request.query;
    request.isSubscription = true;
    const caller = (await isCounted(token)) ? await checkout.callerOf(token) : undefined;
    if (!caller) {
      sendNotFound(request, response);
      return;
    }
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), longestWaitMs);
    response.once('close', () => end.abort());
    const leave = liveSessions.open(caller, request.ip, () => end.abort());
    try {
      const view = await checkout.waitForChange(token, typeof after === 'string' ? after : '', end.signal);
      if (response.destroyed) return;
      if (view && view.version !== after) {
        send(request, response, 200, checkoutPage(frameOf(request, response), view, token, now()));
        return;
      }
      if (view) response.setHeader('Retry-After', askAgainSeconds);
      response.status(204).end();
    } finally {
      clearTimeout(timer);
      leave();
    }
  };

  const sendError: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const { statusCode } = reportError({ logger, now }, thrown, request, response);
    const which = statusCode === 404 ? 'notFound' : statusCode === 429 ? 'tooMany' : 'unavailable';
    send(request, response, statusCode, messagePage(frameOf(request, response), which));
  };

  const router = Router();
  router.use('/assets', readOnly, protect, files);
  router.use(protect, unlisted);
  router.use(
    '/l',
    linkRoutes({
      linkCheckout: dependencies.linkCheckout,
      addressStore,
      publicUrl: settings.publicUrl,
      frameOf,
      send,
      sendNotFound,
      limited,
    }),
  );
  router.use(
    '/r',
    consentRoutes({ consents: dependencies.consents, addressStore, frameOf, send, sendNotFound, limited }),
  );
  router.route('/:token').get(limited, show).all(methodNotAllowed('GET'));
  router.route('/:token/changes').get(limited, changes).all(methodNotAllowed('GET'));
  router.use(routeNotFound);
  router.use(sendError);
  return router;
}
