import { hash } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import { tooManyRequests } from '../../core/base/errors.ts';
import { type Caller, holderOf, isToken } from '../../core/base/caller.ts';
import { countAtMost } from './count-at-most.ts';
import { callerOf } from '../base/request-context.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

export const rateLimitWindowMs = 60_000;

/** Allows polling every second, but no flood. */
const tokenLimitPerMinute = 120;

/** High, because a page sends several requests at once, and people open many pages. */
const personLimitPerMinute = 600;

function limitFor(caller: Caller, limitPerMinute: number): number {
  if (isToken(caller)) return tokenLimitPerMinute;
  return caller.kind === 'person' ? Math.max(limitPerMinute, personLimitPerMinute) : limitPerMinute;
}

/** express-rate-limit can only count one at a time. */
const counting = (store: RateLimitStore, cost: number): Store => ({
  increment: (keyId) => store.incrementBy(keyId, cost),
  decrement: (keyId) => store.decrement(keyId),
  resetKey: (keyId) => store.resetKey(keyId),
});

interface Counted extends Request {
  /** Set by express-rate-limit. */
  rateLimit?: RateLimitInfo;
}

const secondsToReset = ({ resetTime }: RateLimitInfo): number =>
  Math.max(0, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));

/** The draft 8 headers of express-rate-limit, without the hash that it computes for each request. */
function draft8Headers(limitPerMinute: number) {
  const policies = new WeakMap<Caller, string>();

  function policyOf(caller: Caller): string {
    const quota = limitFor(caller, limitPerMinute);
    const partition = Buffer.from(hash('sha256', holderOf(caller)).slice(0, 12)).toString('base64');
    const policy = `"requests"; q=${quota}; w=${rateLimitWindowMs / 1000}; pk=:${partition}:`;
    policies.set(caller, policy);
    return policy;
  }

  return (request: Request, response: Response, info: RateLimitInfo): void => {
    const caller = callerOf(request);
    response.setHeader('RateLimit', `"requests"; r=${info.remaining}; t=${secondsToReset(info)}`);
    response.setHeader('RateLimit-Policy', policies.get(caller) ?? policyOf(caller));
  };
}

/** Limits requests to `limitPerMinute` per API key, 120 per token and 600 per person, counting REST and GraphQL together. */
export function limitByCaller(store: RateLimitStore, limitPerMinute: number): RequestHandler {
  store.init({ windowMs: rateLimitWindowMs });
  const setHeaders = draft8Headers(limitPerMinute);
  const limiterOf = (cost: number) =>
    rateLimit({
      windowMs: rateLimitWindowMs,
      limit: (request: Request) => limitFor(callerOf(request), limitPerMinute),
      standardHeaders: false,
      legacyHeaders: false,
      store: counting(store, cost),
      validate: false,
      keyGenerator: (request: Request) => holderOf(callerOf(request)),
      handler: ({ rateLimit: info }: Counted, _response, next) => {
        next(tooManyRequests(Math.max(1, info ? secondsToReset(info) : 0)));
      },
    });
  const limiters = new Map<number, ReturnType<typeof limiterOf>>();

  return (request: Counted, response: Response, next: NextFunction) => {
    const { cost = 1 } = request;
    const limiter = limiters.get(cost) ?? limiterOf(cost);
    limiters.set(cost, limiter);
    return limiter(request, response, (error?: unknown) => {
      if (request.rateLimit) setHeaders(request, response, request.rateLimit);
      next(error);
    });
  };
}

/** Counts operations that are not requests of their own in the same store, with the same limit. */
export const countBy =
  (store: RateLimitStore, limitPerMinute: number) =>
  (caller: Caller, cost: number): Promise<void> =>
    countAtMost(store, limitFor(caller, limitPerMinute), holderOf(caller), cost);
