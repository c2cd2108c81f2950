import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { inThread, type Thread, traceIdOf } from '../../observability/trace.ts';
import { noTracing, type Tracing } from '../../observability/tracing.ts';
import type { Caller } from '../../core/base/caller.ts';
import { errorCodeOf } from '../../transport/error-body.ts';
import { type Failure, failureIn, type OperationNotes } from '../../transport/operation-notes.ts';
import type { WeighedOperation } from '../../transport/graphql-endpoint.ts';

declare module 'express-serve-static-core' {
  interface Request {
    traceId: string;
    /** Passed on by whoever continues the trace of this request. */
    traceparent: string | undefined;
    /** Set after authentication. */
    caller?: Caller;
    /** How many requests it counts as. */
    cost?: number;
    /** A GraphQL subscription, which may last for hours. */
    isSubscription?: boolean;
    /** Taken from `performance.now()`. */
    startedAt: number;
    /** Set once the body of a GraphQL request was read. */
    weight?: WeighedOperation;
    operationNotes?: OperationNotes;
    /** The error that the response reports. */
    refusal?: unknown;
  }
}

/** Only for routes behind authentication. */
export function callerOf(request: Request): Caller {
  if (!request.caller) throw new Error('the route is not behind authentication');
  const { caller, traceparent } = request;
  return traceparent === undefined ? caller : { ...caller, traceparent };
}

/** The route's pattern rather than its path, which contains ids: a metric label must have few values. */
const routeOf = (request: Request): string => {
  const route = request.route as { path?: unknown } | undefined;
  const mount = request.baseUrl.toLowerCase();
  if (typeof route?.path === 'string') return mount + route.path;
  return mount ? `${mount}/*` : 'unmatched';
};

export const actorOf = (caller: Request['caller']) =>
  caller?.kind === 'person'
    ? { userId: caller.userId }
    : { keyId: caller?.kind === 'key' ? caller.keyId : undefined };

/** The status of GraphQL's responses says nothing of the errors in them. */
const failureOf = ({ operationNotes = {}, refusal }: Request, statusCode: number): Failure | undefined =>
  failureIn(operationNotes) ?? (statusCode >= 500 ? { statusCode, code: errorCodeOf(refusal) } : undefined);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The payment that the path names. */
function paymentIn(route: string, { id }: Request['params']): string | undefined {
  return route.includes('/payments/:id') && typeof id === 'string' && uuid.test(id) ? id : undefined;
}

/** Orchestrators and load balancers request these every few seconds. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Gives every request a trace id, a span, a log line and a measurement. */
export const traceRequests =
  (logger: Logger, metrics: Metrics, tracing: Tracing) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    request.startedAt = startedAt;
    const parent = request.headers.traceparent as string | undefined;
    const { method } = request;
    const isProbe = probes.has(request.path);
    const span = isProbe
      ? noTracing.start(method, { kind: 'server', parent })
      : tracing.start(method, { kind: 'server', parent, attributes: { 'http.request.method': method } });
    request.traceparent = span.traceparent;
    request.traceId = traceIdOf(span.traceparent);
    response.setHeader('X-Trace-Id', request.traceId);
    const thread: Thread = { traceId: request.traceId };
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = routeOf(request);
      const failure = failureOf(request, response.statusCode);
      const status = failure?.statusCode ?? response.statusCode;
      if (!request.isSubscription && !isProbe) metrics.requestEnded(route, method, status, durationMs / 1000);
      if (request.caller && !request.isSubscription) {
        const { organizationId } = request.caller;
        metrics.organizationTook('requests', organizationId, 1);
        metrics.organizationTook('request_seconds', organizationId, durationMs / 1000);
      }
      if (failure && !isProbe) metrics.requestFailed(failure.code, request.caller?.mode);
      span.end({
        name: `${method} ${route}`,
        attributes: {
          'http.route': route,
          'http.response.status_code': response.statusCode,
          'pix.organization.id': request.caller?.organizationId,
        },
        ...(failure && { failure: `HTTP ${status}` }),
      });
      logger.info(
        {
          traceId: request.traceId,
          method,
          route,
          status: response.statusCode,
          ...(failure && { errorCode: failure.code }),
          durationMs: Math.round(durationMs * 1000) / 1000,
          organizationId: request.caller?.organizationId,
          paymentId: thread.paymentId ?? paymentIn(route, request.params),
          ...actorOf(request.caller),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    inThread(thread, next);
  };
