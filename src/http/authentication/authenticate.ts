import { ipKeyGenerator } from 'express-rate-limit';
import type { NextFunction, Request, Response } from 'express';
import { ServiceError, unauthorized } from '../../core/base/errors.ts';
import { transportError } from '../../transport/errors.ts';
import type { KeyAuthentication } from '../../core/people/keys/key-authentication.ts';
import type { Caller } from '../../core/base/caller.ts';
import type { PaymentTokenService } from '../../core/live/payment-tokens.ts';
import { createLimitedLookups } from '../limits/limited-lookups.ts';
import { bearerToken, allowAnyOrigin } from '../routes/payments/payment-tokens.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';

/** The credentials of a request, unverified. */
export interface Credentials {
  key: unknown;
  /** Used only when there is no key. */
  authorization: unknown;
}

interface Dependencies {
  keys: KeyAuthentication;
  paymentTokens: Pick<PaymentTokenService, 'verify'>;
  /** Counts requests per address, if they have no key that this node knows. */
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'unauthorized' || error.code === 'address_not_allowed');

/** Gives every bad key the same response, and limits them by address before the database is queried. */
export function createAuthenticator({ keys, paymentTokens, addresses, addressLimitPerMinute }: Dependencies) {
  const lookups = createLimitedLookups<Caller>({ addresses, addressLimitPerMinute, isRefusal });

  async function lookUp(address: string, ip: string | undefined, key: string): Promise<Caller> {
    if (keys.wasGoodLately(key, ip)) {
      // Others may have used up the limit of the address, which must not lock out a good key.
      const known = await keys.authenticate(key, ip);
      if (known) return known;
    }
    return lookups.counted(address, async () => {
      const caller = await keys.authenticate(key, ip);
      if (!caller) throw unauthorized();
      return caller;
    });
  }

  async function identifyOnce(ip: string | undefined, key: string | undefined): Promise<Caller> {
    const address = ipKeyGenerator(ip ?? '');
    if (key !== undefined) return lookups.shared(address, `${ip} ${key}`, () => lookUp(address, ip, key));
    await lookups.count(address);
    throw unauthorized();
  }

  const wellFormed = (key: unknown): string | undefined =>
    typeof key === 'string' && keys.isWellFormed(key) ? key : undefined;

  function holderOfToken(authorization: unknown): Caller | undefined {
    const token = bearerToken(authorization);
    return token === undefined ? undefined : paymentTokens.verify(token);
  }

  return {
    /** Identifies the caller of a connection. Fails with `unauthorized`, or with `rate_limit_exceeded` for the address. */
    async identify(ip: string | undefined, { key: sent, authorization }: Credentials): Promise<Caller> {
      const key = wellFormed(sent);
      const known = key !== undefined ? keys.authenticateFromCache(key, ip) : undefined;
      const holder = sent === undefined ? holderOfToken(authorization) : undefined;
      return known ?? holder ?? identifyOnce(ip, key);
    },

    /** The holder of a key that this node has seen lately. */
    recognize({ headers, ip }: Request): Caller | undefined {
      const key = wellFormed(headers['x-api-key']);
      return key === undefined ? undefined : keys.authenticateFromCache(key, ip);
    },

    authenticate(request: Request, response: Response, next: NextFunction): void {
      const { 'x-api-key': sent } = request.headers;
      if (sent === undefined) {
        const { authorization } = request.headers;
        if (bearerToken(authorization) !== undefined) allowAnyOrigin(request, response);
        const holder = holderOfToken(authorization);
        if (holder) {
          request.caller = holder;
          next();
          return;
        }
      }
      const key = wellFormed(sent);
      const caller = key !== undefined ? keys.authenticateFromCache(key, request.ip) : undefined;
      if (caller) {
        request.caller = caller;
        next();
        return;
      }
      identifyOnce(request.ip, key).then((identified) => {
        request.caller = identified;
        next();
      }, next);
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Other APIs use `pk_` for "publishable" keys; here a live key in a browser is a leaked secret. */
export function assertNotInBrowser(
  caller: Caller | undefined,
  origin: string | undefined,
  corsOrigins: readonly string[],
): void {
  if (origin === undefined || caller?.kind !== 'key' || caller.mode !== 'live') return;
  if (corsOrigins.includes(origin)) return;
  throw transportError(
    'live_key_in_browser',
    'A live API key is a secret and must not be used from a browser: call from your server, or list the origin in CORS_ORIGINS',
  );
}

export const refuseLiveKeysFromBrowsers =
  (corsOrigins: readonly string[]) =>
  (request: Request, _response: Response, next: NextFunction): void => {
    assertNotInBrowser(request.caller, request.headers.origin, corsOrigins);
    next();
  };
