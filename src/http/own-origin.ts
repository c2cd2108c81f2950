import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../domain/errors.ts';
import { ownOrigins } from '../domain/origin.ts';

const refusal = () =>
  new ServiceError('foreign_origin', 'A session works from the pages of this service only');

/** Refuses, with a 403, what another site's page sent with the cookie of a person. Browsers name the origin of every POST and WebSocket. */
export function assertOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin === undefined || !ownOrigins(publicUrl, host).includes(origin)) {
    throw refusal();
  }
}

/**
 * The same for a download, which reads and changes nothing. A browser names no origin when it follows a link, but in
 * Sec-Fetch-Site, which pages cannot set, whose link it was (`none`: the person's own doing); over plain HTTP, where it
 * leaves that out, the Referer says it.
 */
export function assertOwnNavigation(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { 'sec-fetch-site': site, referer = '', host } = headers;
  const isOwn =
    site === undefined
      ? URL.canParse(referer) && ownOrigins(publicUrl, host).includes(new URL(referer).origin)
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw refusal();
}
