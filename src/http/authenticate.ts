import { ipKeyGenerator } from 'express-rate-limit';
import type { NextFunction, Request, Response } from 'express';
import { ServiceError, tooManyRequests, unauthorized } from '../domain/errors.ts';
import type { ApiKeyService } from '../services/api-keys.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

interface Dependencies {
  apiKeys: ApiKeyService;
  /** Counts, per address, the requests that come without a key known to this node. */
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
}

/** One answer for every bad key, limited by address before the database is asked. */
export function authenticate({ apiKeys, addresses, addressLimitPerMinute }: Dependencies) {
  async function countAddress(request: Request): Promise<string> {
    const address = ipKeyGenerator(request.ip ?? '');
    const { totalHits, resetTime } = await addresses.increment(address);
    if (totalHits > addressLimitPerMinute) {
      const waitMs = (resetTime?.getTime() ?? 0) - Date.now();
      throw tooManyRequests(Math.max(1, Math.ceil(waitMs / 1000)));
    }
    return address;
  }

  async function authenticateSlowly(request: Request, key: string | undefined): Promise<void> {
    const address = await countAddress(request);
    if (key === undefined) throw unauthorized();
    let isBadKey = false;
    try {
      request.caller = await apiKeys.authenticate(key);
      isBadKey = request.caller === undefined;
    } finally {
      // A look-up that failed says nothing about the key.
      if (!isBadKey) await addresses.decrement(address);
    }
    if (isBadKey) throw unauthorized();
  }

  return (request: Request, _response: Response, next: NextFunction): void => {
    const header = request.headers['x-api-key'];
    const key = typeof header === 'string' && apiKeys.isWellFormed(header) ? header : undefined;
    const caller = key !== undefined ? apiKeys.authenticateFromCache(key) : undefined;
    if (caller) {
      request.caller = caller;
      next();
      return;
    }
    authenticateSlowly(request, key).then(() => {
      next();
    }, next);
  };
}

const isLiveKey = ({ caller }: Request): boolean => caller?.kind === 'key' && caller.mode === 'live';

/** `pk_` looks publishable to people who know other APIs; here a live key in a browser is a leaked secret. */
export const refuseLiveKeysFromBrowsers =
  (corsOrigins: readonly string[]) =>
  (request: Request, _response: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    if (origin !== undefined && isLiveKey(request) && !corsOrigins.includes(origin)) {
      throw new ServiceError(
        'forbidden',
        'A live API key is a secret and must not be used from a browser: call from your server, or list the origin in CORS_ORIGINS',
      );
    }
    next();
  };
