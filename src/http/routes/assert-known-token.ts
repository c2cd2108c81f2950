import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ServiceError } from '../../core/base/errors.ts';
import type { NotificationService } from '../../core/settlement/notifications/psp-notifications.ts';
import { createLimitedLookups } from '../limits/limited-lookups.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';

export type NotificationRequest = Request<{ provider: string; token: string }>;

interface Dependencies {
  notifications: Pick<NotificationService, 'isKnownToken' | 'assertToken'>;
  /** Counts notifications with unknown tokens, per address. */
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
}

const isUnknownToken = (error: unknown): boolean =>
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
  const lookups = createLimitedLookups<void>({ addresses, addressLimitPerMinute, isRefusal: isUnknownToken });

  const assertKnown = (request: NotificationRequest): Promise<void> => {
    const { provider, token } = request.params;
    if (notifications.isKnownToken(provider, token)) return Promise.resolve();
    const address = `psp:${ipKeyGenerator(request.ip ?? '')}`;
    return lookups.shared(address, `${address} ${provider} ${token}`, () =>
      lookups.counted(address, () => notifications.assertToken(provider, token)),
    );
  };

  return async (request, _response, next) => {
    await assertKnown(request as unknown as NotificationRequest);
    next();
  };
}
