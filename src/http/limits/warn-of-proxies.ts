import type { RequestHandler } from 'express';
import type { Logger } from '../../observability/logger.ts';

/** Once: behind a proxy that is not trusted, all clients have one address, and share what an address is allowed. */
export function warnOfProxies(logger: Logger): RequestHandler {
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      logger.warn(
        'a request came through a proxy: name it in TRUST_PROXY, or all clients count as one address',
      );
    }
    next();
  };
}
