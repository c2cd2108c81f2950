import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { traceIdOf } from '../observability/trace.ts';
import type { Caller } from '../services/caller.ts';

declare module 'express-serve-static-core' {
  interface Request {
    traceId: string;
    /** Set after authentication. */
    caller?: Caller;
    /** Number of requests it counts as. */
    cost?: number;
    /** A GraphQL subscription, which may last for hours. */
    isSubscription?: boolean;
  }
}

/** Only for routes behind authentication. */
export function callerOf(request: Request): Caller {
  if (!request.caller) throw new Error('the route is not behind authentication');
  return request.caller;
}

/** The route's pattern rather than its path: paths contain ids, and a metric label needs few values. */
const routeOf = (request: Request): string => {
  const route = request.route as { path?: unknown } | undefined;
  const mount = request.baseUrl.toLowerCase();
  if (typeof route?.path === 'string') return mount + route.path;
  return mount ? `${mount}/*` : 'unmatched';
};

/** For the log. */
export const actorOf = (caller: Request['caller']) =>
  caller?.kind === 'person'
    ? { userId: caller.userId }
    : { keyId: caller?.kind === 'key' ? caller.keyId : undefined };

/** Gives every request a trace id, a log line and a measurement. */
export const traceRequests =
  (logger: Logger, metrics: Metrics) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    request.traceId = traceIdOf(request.headers.traceparent as string | undefined);
    response.setHeader('X-Trace-Id', request.traceId);
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = routeOf(request);
      if (!request.isSubscription) {
        metrics.requestEnded(route, request.method, response.statusCode, durationMs / 1000);
      }
      logger.info(
        {
          traceId: request.traceId,
          method: request.method,
          route,
          status: response.statusCode,
          durationMs: Math.round(durationMs * 1000) / 1000,
          organizationId: request.caller?.organizationId,
          ...actorOf(request.caller),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
