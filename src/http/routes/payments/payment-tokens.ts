import type { Request, RequestHandler, Response } from 'express';
import type { PaymentTokenService } from '../../../core/live/payment-tokens.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';

export const paymentTokenRoutes = (paymentTokens: Pick<PaymentTokenService, 'create'>) => ({
  create: async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentTokens.create(callerOf(request), request.params.id));
  },
});

/** The token in `Authorization: Bearer pt_…`; undefined for anything else. */
export const bearerToken = (authorization: unknown): string | undefined =>
  typeof authorization === 'string' ? /^Bearer +(pt_[\w-]*)$/i.exec(authorization)?.[1] : undefined;

/** Routes that accept a payment token. */
const tokenRoutes = /^\/(v1\/payments\/[^/]+|graphql)\/?$/i;
const tokenHeaders = new Set(['authorization', 'content-type', 'accept', 'traceparent']);

/** Handles CORS preflights for payment tokens, which any page may use: cookies play no part. */
export function isTokenPreflight({ method, path, headers }: Request): boolean {
  if (method !== 'OPTIONS' || headers.origin === undefined || !tokenRoutes.test(path)) return false;
  const requested = String(headers['access-control-request-headers'] ?? '').toLowerCase();
  const names = requested.split(',').map((name) => name.trim());
  return names.includes('authorization') && names.every((name) => tokenHeaders.has(name));
}

export const handleTokenPreflight: RequestHandler = (request, response, next) => {
  if (!isTokenPreflight(request)) {
    next();
    return;
  }
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', request.path.startsWith('/v1') ? 'GET' : 'POST');
  response.setHeader('Access-Control-Allow-Headers', [...tokenHeaders].join(', '));
  response.setHeader('Access-Control-Max-Age', '600');
  response.status(204).end();
};

/** Lets the page that sent a token read the response, whatever it is. */
export function allowAnyOrigin(request: Request, response: Response): void {
  if (!tokenRoutes.test(request.path)) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader(
    'Access-Control-Expose-Headers',
    // Pages need `Date` for the time left, because the clock of a payer's device may be wrong.
    'X-Trace-Id, X-Error-Code, RateLimit, RateLimit-Policy, Retry-After, Date',
  );
}
