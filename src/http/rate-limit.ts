import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { tooManyRequests } from '../domain/errors.ts';
import { callerOf } from './request-context.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

export const rateLimitWindowMs = 60_000;

/** express-rate-limit knows only how to count one. */
const counting = (store: RateLimitStore, cost: number): Store => ({
  increment: (keyId) => store.incrementBy(keyId, cost),
  decrement: (keyId) => store.decrement(keyId),
  resetKey: (keyId) => store.resetKey(keyId),
});

/** At most `limitPerMinute` requests per API key, over REST and GraphQL together. */
export function limitByKey(store: RateLimitStore, limitPerMinute: number): RequestHandler {
  store.init({ windowMs: rateLimitWindowMs });
  const limiterOf = (cost: number) =>
    rateLimit({
      windowMs: rateLimitWindowMs,
      limit: limitPerMinute,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      identifier: 'requests',
      store: counting(store, cost),
      validate: false,
      keyGenerator: (request: Request) => callerOf(request).keyId,
      handler: (_request, response, next) => {
        const retryAfter = Number(response.getHeader('Retry-After'));
        next(tooManyRequests(Number.isFinite(retryAfter) ? retryAfter : 60));
      },
    });
  const limiters = new Map<number, ReturnType<typeof limiterOf>>();

  return (request: Request, response: Response, next: NextFunction) => {
    const { cost = 1 } = request;
    const limiter = limiters.get(cost) ?? limiterOf(cost);
    limiters.set(cost, limiter);
    return limiter(request, response, next);
  };
}
