import type { Request } from 'express';
import { ServiceError } from '../domain/errors.ts';
import { ownOrigins } from '../domain/origin.ts';

/** Refuses, with a 403, what another site's page sent with the cookie of a person. Browsers name the origin of every POST. */
export function assertOwnOrigin({ headers }: Request, publicUrl: string): void {
  const { origin, host } = headers;
  if (origin === undefined || !ownOrigins(publicUrl, host).includes(origin)) {
    throw new ServiceError('forbidden', 'A session works from the pages of this service only');
  }
}
