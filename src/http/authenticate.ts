import { ipKeyGenerator } from 'express-rate-limit';
import type { NextFunction, Request, Response } from 'express';
import { ServiceError, unauthorized } from '../domain/errors.ts';
import type { ApiKeyService } from '../services/people/api-keys.ts';
import type { Caller } from '../services/caller.ts';
import type { PaymentTokenService } from '../services/live/payment-tokens.ts';
import { countAtMost } from './limits/count-at-most.ts';
import { bearerToken, letPageRead } from './routes/payment-tokens.ts';
import type { RateLimitStore } from './limits/rate-limit-store.ts';

/** What a client sent, whatever it is. */
export interface Credentials {
  key: unknown;
  /** Looked at where there is no key. */
  authorization: unknown;
}

interface Dependencies {
  apiKeys: ApiKeyService;
  paymentTokens: Pick<PaymentTokenService, 'verify'>;
  /** Counts, per address, the requests that come without a key known to this node. */
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
}

/** Of the key, wrong or used from elsewhere. A look-up that failed says nothing about the key. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'unauthorized' || error.code === 'address_not_allowed');

/** One answer for every bad key, limited by address before the database is asked. */
export function createAuthenticator({
  apiKeys,
  paymentTokens,
  addresses,
  addressLimitPerMinute,
}: Dependencies) {
  async function countAddress(ip: string | undefined): Promise<string> {
    const address = ipKeyGenerator(ip ?? '');
    await countAtMost(addresses, addressLimitPerMinute, address);
    return address;
  }

  async function identifySlowly(ip: string | undefined, key: string | undefined): Promise<Caller> {
    if (key !== undefined && apiKeys.wasGoodLately(key, ip)) {
      // Whoever else is at its address, and may have used up what that is allowed, does not turn it away.
      const known = await apiKeys.authenticate(key, ip);
      if (known) return known;
    }
    const address = await countAddress(ip);
    if (key === undefined) throw unauthorized();
    let isBadKey = false;
    try {
      const caller = await apiKeys.authenticate(key, ip);
      if (!caller) throw unauthorized();
      return caller;
    } catch (error) {
      isBadKey = isRefusal(error);
      throw error;
    } finally {
      if (!isBadKey) await addresses.decrement(address);
    }
  }

  const identifying = new Map<string, Promise<Caller>>();

  /** The first requests of a key come together: from one address they are one request without a known key. */
  function identifyOnce(ip: string | undefined, key: string | undefined): Promise<Caller> {
    if (key === undefined) return identifySlowly(ip, key);
    const name = `${ip} ${key}`;
    const running = identifying.get(name);
    if (running) {
      return running.catch(async (error: unknown) => {
        if (isRefusal(error)) await countAddress(ip);
        throw error;
      });
    }
    const identified = identifySlowly(ip, key).finally(() => identifying.delete(name));
    identifying.set(name, identified);
    return identified;
  }

  const wellFormed = (key: unknown): string | undefined =>
    typeof key === 'string' && apiKeys.isWellFormed(key) ? key : undefined;

  function holderOfToken(authorization: unknown): Caller | undefined {
    const token = bearerToken(authorization);
    return token === undefined ? undefined : paymentTokens.verify(token);
  }

  return {
    /** Of a connection from this address that sent these. Fails with a 401, or a 429 for the address. */
    async identify(ip: string | undefined, { key: sent, authorization }: Credentials): Promise<Caller> {
      const key = wellFormed(sent);
      const known = key !== undefined ? apiKeys.authenticateFromCache(key, ip) : undefined;
      const holder = sent === undefined ? holderOfToken(authorization) : undefined;
      return known ?? holder ?? identifyOnce(ip, key);
    },

    authenticate(request: Request, response: Response, next: NextFunction): void {
      const { 'x-api-key': sent } = request.headers;
      if (sent === undefined) {
        const { authorization } = request.headers;
        if (bearerToken(authorization) !== undefined) letPageRead(request, response);
        const holder = holderOfToken(authorization);
        if (holder) {
          request.caller = holder;
          next();
          return;
        }
      }
      const key = wellFormed(sent);
      const caller = key !== undefined ? apiKeys.authenticateFromCache(key, request.ip) : undefined;
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

/** `pk_` looks publishable to people who know other APIs; here a live key in a browser is a leaked secret. */
export function assertNotInBrowser(
  caller: Caller | undefined,
  origin: string | undefined,
  corsOrigins: readonly string[],
): void {
  if (origin === undefined || caller?.kind !== 'key' || caller.mode !== 'live') return;
  if (corsOrigins.includes(origin)) return;
  throw new ServiceError(
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
