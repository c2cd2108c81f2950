import type { Request } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { tooManyRequests } from '../domain/errors.ts';
import { callerOf } from './request-context.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

export const rateLimitWindowMs = 60_000;

/** The key of the store carries the cost: express-rate-limit knows only how to count one. */
const weighted = (store: RateLimitStore): Store => ({
  init: (options) => store.init?.(options),
  increment: (weightedKey) => {
    const [cost, keyId = ''] = weightedKey.split(':');
    return store.incrementBy(keyId, Number(cost));
  },
  decrement: (weightedKey) => store.decrement(weightedKey),
  resetKey: (weightedKey) => store.resetKey(weightedKey),
});

/** At most `limitPerMinute` requests per API key, over REST and GraphQL together. */
export const limitByKey = (store: RateLimitStore, limitPerMinute: number) =>
  rateLimit({
    windowMs: rateLimitWindowMs,
    limit: limitPerMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'requests',
    store: weighted(store),
    validate: false,
    keyGenerator: (request: Request) => `${request.cost ?? 1}:${callerOf(request).keyId}`,
    handler: (_request, response, next) => {
      const retryAfter = Number(response.getHeader('Retry-After'));
      next(tooManyRequests(Number.isFinite(retryAfter) ? retryAfter : 60));
    },
  });
