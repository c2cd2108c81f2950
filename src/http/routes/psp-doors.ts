import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ServiceError } from '../../domain/errors.ts';
import type { NotificationService } from '../../services/providers/psp-notifications.ts';
import { countAtMost } from '../limits/count-at-most.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';

export type DoorRequest = Request<{ provider: string; token: string }>;

interface Dependencies {
  notifications: Pick<NotificationService, 'isKnownDoor' | 'assertDoor'>;
  /** Counts, per address, the notifications to tokens that are nobody's. */
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
}

const isNobodys = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'route_not_found';

/**
 * Before the body is read: a token that this node knows passes, since PSPs share addresses and come in bursts; any
 * other is looked up, so many times a minute for each address.
 */
export function assertKnownDoor({
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
      await notifications.assertDoor(provider, token);
    } catch (error) {
      isBad = isNobodys(error);
      throw error;
    } finally {
      // A look-up that failed says nothing about the token.
      if (!isBad) await addresses.decrement(address);
    }
  }

  /** The first notifications of a credential come together: they are one look-up. */
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

  const assertKnown = (request: DoorRequest): Promise<void> => {
    const { provider, token } = request.params;
    if (notifications.isKnownDoor(provider, token)) return Promise.resolve();
    return lookUpOnce(`psp:${ipKeyGenerator(request.ip ?? '')}`, provider, token);
  };

  return async (request, _response, next) => {
    await assertKnown(request as unknown as DoorRequest);
    next();
  };
}
