import { hash } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import { tooManyRequests } from '../../core/base/errors.ts';
import { type Caller, holderOf, isToken } from '../../core/base/caller.ts';
import type { KeyLimits } from '../../core/people/keys/key-limits.ts';
import { countAtMost } from './count-at-most.ts';
import { callerOf } from '../base/request-context.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

export const rateLimitWindowMs = 60_000;

/** Allows polling every second, but no flood. */
const tokenLimitPerMinute = 120;

/** High, because a page sends several requests at once, and people open many pages. */
const personLimitPerMinute = 600;

/** How many requests a caller may send in a minute. */
type LimitOf = (caller: Caller) => number | Promise<number>;

export const callerLimits =
  (keys: KeyLimits, usualPerMinute: number): LimitOf =>
  (caller) => {
    if (caller.kind === 'key') return keys.of(caller);
    if (isToken(caller)) return tokenLimitPerMinute;
    return caller.kind === 'person' ? Math.max(usualPerMinute, personLimitPerMinute) : usualPerMinute;
  };

/** A cluster keeps the counts of an organization in one place, and those of different ones in different places. */
const countNameOf = (caller: Caller): string =>
  caller.kind === 'person' ? `{${holderOf(caller)}}` : `{${caller.organizationId}}:${holderOf(caller)}`;

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
function draft8Headers() {
  const partitions = new WeakMap<Caller, string>();

  function partitionOf(caller: Caller): string {
    const partition = Buffer.from(hash('sha256', holderOf(caller)).slice(0, 12)).toString('base64');
    partitions.set(caller, partition);
    return partition;
  }

  return (request: Request, response: Response, info: RateLimitInfo): void => {
    const caller = callerOf(request);
    const partition = partitions.get(caller) ?? partitionOf(caller);
    const policy = `"requests"; q=${info.limit}; w=${rateLimitWindowMs / 1000}; pk=:${partition}:`;
    response.setHeader('RateLimit', `"requests"; r=${info.remaining}; t=${secondsToReset(info)}`);
    response.setHeader('RateLimit-Policy', policy);
  };
}

/** Counts REST and GraphQL together. */
export function limitByCaller(store: RateLimitStore, limitOf: LimitOf): RequestHandler {
  store.init({ windowMs: rateLimitWindowMs });
  const setHeaders = draft8Headers();
  const limiterOf = (cost: number) =>
    rateLimit({
      windowMs: rateLimitWindowMs,
      limit: (request: Request) => limitOf(callerOf(request)),
      standardHeaders: false,
      legacyHeaders: false,
      store: counting(store, cost),
      validate: false,
      keyGenerator: (request: Request) => countNameOf(callerOf(request)),
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
  (store: RateLimitStore, limitOf: LimitOf) =>
  async (caller: Caller, cost: number): Promise<void> =>
    countAtMost(store, await limitOf(caller), countNameOf(caller), cost);
