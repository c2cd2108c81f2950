import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Caller } from '../services/caller.ts';
import { setErrorHeaders, translate } from './errors.ts';
import { jsonBody } from './json-body.ts';
import { idempotencyKeyOf } from './payments.ts';
import { callerOf } from './request-context.ts';
import { sendJsonText } from './send-json.ts';

/** GraphQL as this transport sees it. */
export interface GraphqlEndpoint {
  /** How many requests an operation counts as: its root fields, and 1 for what cannot be read. */
  costOf(body: unknown): number;
  execute(request: GraphqlRequest): Promise<GraphqlAnswer>;
  /** The answer to a request that is refused before it is executed. */
  refuse(error: unknown, traceId: string): GraphqlAnswer;
}

export interface GraphqlRequest {
  body: unknown;
  caller: Caller;
  traceId: string;
  idempotencyKey: string | undefined;
}

export interface GraphqlAnswer {
  statusCode: number;
  body: string;
}

/** `authenticated` before the body is read, `counted` when its cost is known. */
export function graphqlRoute(
  endpoint: GraphqlEndpoint,
  authenticated: RequestHandler,
  counted: readonly RequestHandler[],
): (RequestHandler | ErrorRequestHandler)[] {
  const unreadable = new WeakMap<Request, unknown>();

  // A body that cannot be read counts as a request too, so its error waits until it is counted.
  const keepBodyError: ErrorRequestHandler = (error: unknown, request, _response, next) => {
    if (!request.caller) {
      next(error);
      return;
    }
    unreadable.set(request, error);
    next();
  };

  const weigh: RequestHandler = (request, _response, next) => {
    request.cost = endpoint.costOf(request.body);
    next();
  };

  const execute: RequestHandler = async (request, response) => {
    if (unreadable.has(request)) throw unreadable.get(request);
    const answer = await endpoint.execute({
      body: request.body,
      caller: callerOf(request),
      traceId: request.traceId,
      idempotencyKey: idempotencyKeyOf(request),
    });
    sendJsonText(response, answer.statusCode, answer.body);
  };

  const refuse: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = translate(thrown);
    setErrorHeaders(response, error);
    const answer = endpoint.refuse(error, request.traceId);
    sendJsonText(response, answer.statusCode, answer.body);
  };

  return [authenticated, ...jsonBody, keepBodyError, weigh, ...counted, execute, refuse];
}
