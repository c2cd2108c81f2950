import { hash } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import { tooManyRequests } from '../domain/errors.ts';
import type { KeyCaller, PersonCaller } from '../services/caller.ts';
import { callerOf } from './request-context.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

export const rateLimitWindowMs = 60_000;

/** express-rate-limit knows only how to count one. */
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

const idOf = (caller: KeyCaller | PersonCaller): string =>
  caller.kind === 'key' ? caller.keyId : `person:${caller.userId}`;

/** The headers of draft 8 as express-rate-limit prints them, but for the hash that it makes for each request. */
function draft8Headers(limitPerMinute: number) {
  const policies = new WeakMap<KeyCaller | PersonCaller, string>();

  function policyOf(caller: KeyCaller | PersonCaller): string {
    const partition = Buffer.from(hash('sha256', idOf(caller)).slice(0, 12)).toString('base64');
    const policy = `"requests"; q=${limitPerMinute}; w=${rateLimitWindowMs / 1000}; pk=:${partition}:`;
    policies.set(caller, policy);
    return policy;
  }

  return (request: Request, response: Response, info: RateLimitInfo): void => {
    const caller = callerOf(request);
    response.setHeader('RateLimit', `"requests"; r=${info.remaining}; t=${secondsToReset(info)}`);
    response.setHeader('RateLimit-Policy', policies.get(caller) ?? policyOf(caller));
  };
}

/** A page asks for several things at once, and a person opens many. */
const requestsPerMinuteOfPerson = 600;

/** At most `limitPerMinute` requests per API key, over REST and GraphQL together; a person has a limit of their own. */
export function limitByCaller(store: RateLimitStore, limitPerMinute: number): RequestHandler {
  store.init({ windowMs: rateLimitWindowMs });
  const keys = limit(store, limitPerMinute);
  const people = limit(store, Math.max(limitPerMinute, requestsPerMinuteOfPerson));
  return (request, response, next) =>
    (callerOf(request).kind === 'key' ? keys : people)(request, response, next);
}

function limit(store: RateLimitStore, limitPerMinute: number): RequestHandler {
  const setHeaders = draft8Headers(limitPerMinute);
  const limiterOf = (cost: number) =>
    rateLimit({
      windowMs: rateLimitWindowMs,
      limit: limitPerMinute,
      standardHeaders: false,
      legacyHeaders: false,
      store: counting(store, cost),
      validate: false,
      keyGenerator: (request: Request) => idOf(callerOf(request)),
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
