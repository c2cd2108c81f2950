import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ServiceError } from '../../core/base/errors.ts';
import type { NotificationService } from '../../core/settlement/notifications/psp-notifications.ts';
import { countAtMost } from '../limits/count-at-most.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';

export type NotificationRequest = Request<{ provider: string; token: string }>;

interface Dependencies {
  notifications: Pick<NotificationService, 'isKnownToken' | 'assertToken'>;
  /** Counts notifications with unknown tokens, per address. */
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
}

const isNobodys = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'route_not_found';

/**
 * Runs before the body is read. A token known to this node passes, since PSPs share addresses and send
 * bursts; lookups of others are limited per minute and address.
 */
export function assertKnownToken({
  notifications,
  addresses,
  addressLimitPerMinute,
}: Dependencies): RequestHandler {
  const lookUps = new Map<string, Promise<void>>();
  const count = (address: string) => countAtMost(addresses, addressLimitPerMinute, address);

  async function lookUp(address: string, provider: string, token: string): Promise<void> {
    await count(address);
    let isBad = false;
    try {
      await notifications.assertToken(provider, token);
    } catch (error) {
      isBad = isNobodys(error);
      throw error;
    } finally {
      // A failed lookup says nothing about the token.
      if (!isBad) await addresses.decrement(address);
    }
  }

  /** A credential's first notifications arrive together: they share one lookup. */
  function lookUpOnce(address: string, provider: string, token: string): Promise<void> {
    const name = `${address} ${provider} ${token}`;
    const running = lookUps.get(name);
    if (running) {
      return running.catch(async (error: unknown) => {
        if (isNobodys(error)) await count(address);
        throw error;
      });
    }
    const started = lookUp(address, provider, token).finally(() => lookUps.delete(name));
    lookUps.set(name, started);
    return started;
  }

  const assertKnown = (request: NotificationRequest): Promise<void> => {
    const { provider, token } = request.params;
    if (notifications.isKnownToken(provider, token)) return Promise.resolve();
    return lookUpOnce(`psp:${ipKeyGenerator(request.ip ?? '')}`, provider, token);
  };

  return async (request, _response, next) => {
    await assertKnown(request as unknown as NotificationRequest);
    next();
  };
}
