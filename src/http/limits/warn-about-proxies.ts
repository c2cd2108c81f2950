import type { RequestHandler } from 'express';
import type { Logger } from '../../observability/logger.ts';

/** Warns once that all clients behind an untrusted proxy share one address and its limits. */
export function warnAboutProxies(logger: Logger): RequestHandler {
  let isLogged = false;
  return (request, _response, next) => {
    if (!isLogged && request.headers['x-forwarded-for'] !== undefined) {
      isLogged = true;
      logger.warn(
        'request came through an untrusted proxy: list it in TRUST_PROXY, or all clients share one address',
      );
    }
    next();
  };
}
