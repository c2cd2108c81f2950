import type { RequestHandler } from 'express';
import type { Logger } from '../../observability/logger.ts';

/** Warns once: behind an untrusted proxy all clients share one address and its limits. */
export function warnOfProxies(logger: Logger): RequestHandler {
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      logger.warn(
        'request came through an untrusted proxy: list it in TRUST_PROXY, or all clients share one address',
      );
    }
    next();
  };
}
