import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../domain/errors.ts';
import { ownOrigins } from '../domain/origin.ts';

/** Refuses, with a 403, what another site's page sent with the cookie of a person. Browsers name the origin of every POST and WebSocket. */
export function assertOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin === undefined || !ownOrigins(publicUrl, host).includes(origin)) {
    throw new ServiceError('forbidden', 'A session works from the pages of this service only');
  }
}
