import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { notFound, ServiceError, Unavailable } from '../../core/base/errors.ts';
import type { Problem } from '../../core/base/problems/rules.ts';
import { toReportedError, transportError } from '../../transport/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { errorBody } from '../../transport/error-body.ts';
import { errorHeaders } from './error-headers.ts';
import { bodyTooLarge } from './json-body.ts';
import { sendJson } from './send-json.ts';

/** Translates errors of body-parser, the router and express.static, whose messages may quote the body. */
export function translate(error: unknown): unknown {
  if (toReportedError(error) || !(error instanceof Error)) return error;
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: unknown };
  switch (type) {
    case 'entity.too.large':
      return bodyTooLarge(Number(limit));
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return transportError('unsupported_media_type', 'body must be JSON in UTF-8');
    case 'request.aborted':
    case 'request.size.invalid':
      return transportError('malformed_json', 'body must be valid JSON');
    default:
      return typeof status === 'number' && status >= 400 && status < 500
        ? transportError('malformed_request', 'the request is malformed')
        : error;
  }
}

export function setErrorHeaders(response: Response, error: unknown): void {
  for (const [name, value] of errorHeaders(error)) response.setHeader(name, value);
}

/** Shown to people who sign in, as GraphQL does. Bodies of `/v1` have what the specification says and no more. */
const problemsFor = ({ path }: Request, error: unknown): readonly Problem[] | undefined =>
  path.startsWith('/auth/') && error instanceof ServiceError ? error.context.problems : undefined;

/** Logs errors that are not the caller's fault, sets the response headers, and returns the body. */
export function reportError(
  { logger, now }: { logger: Logger; now: () => Date },
  thrown: unknown,
  request: Request,
  response: Response,
) {
  const { traceId } = request;
  request.refusal = thrown;
  const error = translate(thrown);
  const body = errorBody(error, traceId, now());
  if (body.statusCode === 500) logger.error({ traceId, error }, 'request failed');
  if (error instanceof Unavailable) logger.warn({ traceId, error }, 'service unavailable');
  if (!response.headersSent) setErrorHeaders(response, error);
  return body;
}

/** Turns any error into a REST response. */
export const handleErrors =
  (logger: Logger, now: () => Date) =>
  (thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const body = reportError({ logger, now }, thrown, request, response);
    if (response.headersSent) {
      // Express would end the response too, but print the error unredacted.
      response.destroy();
      return;
    }
    const problems = problemsFor(request, translate(thrown));
    sendJson(response, body.statusCode, { ...body, ...(problems && { problems }) });
  };

/** Whatever answers GET answers HEAD. */
export const methodNotAllowed = (...methods: string[]): RequestHandler => {
  const allowedMethods = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return (request) => {
    throw transportError('method_not_allowed', `${request.method} is not allowed here`, { allowedMethods });
  };
};

export const routeNotFound: RequestHandler = (request) => {
  throw notFound('Route', request.path);
};
