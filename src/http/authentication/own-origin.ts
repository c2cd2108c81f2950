import type { IncomingHttpHeaders } from 'node:http';
import { parseUrl } from '../../core/base/parse-url.ts';
import { transportError } from '../../transport/errors.ts';
import { ownOrigins } from '../../core/base/origin.ts';

const refusal = () =>
  transportError('foreign_origin', "A session can only be used from this service's own pages");

/** Rejects requests that another site's page sent with a session cookie. Browsers set Origin on every POST and WebSocket. */
export function assertOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin === undefined || !ownOrigins(publicUrl, host).includes(origin)) {
    throw refusal();
  }
}

/**
 * The same check for a download, which changes nothing. When a link is followed, browsers send no Origin but Sec-Fetch-Site,
 * which pages cannot forge (`none`: typed or bookmarked). Over plain HTTP that is missing, so the Referer has to do.
 */
export function assertOwnNavigation(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { 'sec-fetch-site': site, referer = '', host } = headers;
  const isOwn =
    site === undefined
      ? ownOrigins(publicUrl, host).includes(parseUrl(referer)?.origin ?? '')
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw refusal();
}
