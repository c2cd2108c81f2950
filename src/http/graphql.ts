import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { badRequest } from '../domain/errors.ts';
import type { JsonObject } from '../domain/payment.ts';
import type { Caller } from '../services/caller.ts';
import type { LiveSessions } from '../services/live-sessions.ts';
import { setErrorHeaders, translate } from './errors.ts';
import { sendResults } from './event-stream.ts';
import { jsonBody } from './json-body.ts';
import { idempotencyKeyOf } from './payments.ts';
import { callerOf } from './request-context.ts';
import { sendJsonText } from './send-json.ts';

/** GraphQL as this transport sees it. */
export interface GraphqlEndpoint {
  /** How many requests an operation counts as: its root fields, and 1 for what cannot be read. */
  weigh(body: unknown): { cost: number; isSubscription: boolean };
  execute(request: GraphqlRequest): Promise<GraphqlAnswer>;
  /** Its answers one by one; `errors` when it cannot be executed. */
  stream(request: GraphqlRequest): Promise<{ results: GraphqlResults } | { errors: readonly GraphqlError[] }>;
  /** The answer to a request that is refused before it is executed. */
  refuse(error: unknown, traceId: string): GraphqlAnswer;
}

/** `return` ends it, whatever it waits for. */
export type GraphqlResults = AsyncGenerator<JsonObject, undefined>;

export interface GraphqlError {
  message: string;
  extensions?: JsonObject;
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
  sessions: Pick<LiveSessions, 'open'>,
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
    const { cost, isSubscription } = endpoint.weigh(request.body);
    request.cost = cost;
    request.isSubscription = isSubscription;
    next();
  };

  async function stream(operation: GraphqlRequest, response: Response): Promise<void> {
    let results: GraphqlResults | undefined;
    let last: string | undefined;
    let isOver = false;
    const close = sessions.open(operation.caller, (reason) => {
      isOver = true;
      last = reason && endpoint.refuse(reason, operation.traceId).body;
      void results?.return(undefined);
    });
    try {
      const streamed = await endpoint.stream(operation);
      if ('errors' in streamed) {
        sendJsonText(response, 400, JSON.stringify(streamed));
        return;
      }
      ({ results } = streamed);
      if (isOver) await results.return(undefined);
      await sendResults(response, results, () => last);
    } finally {
      close();
    }
  }

  const execute: RequestHandler = async (request, response) => {
    if (unreadable.has(request)) throw unreadable.get(request);
    const operation = {
      body: request.body as unknown,
      caller: callerOf(request),
      traceId: request.traceId,
      idempotencyKey: idempotencyKeyOf(request),
    };
    if (request.headers.accept?.includes('text/event-stream')) {
      await stream(operation, response);
      return;
    }
    if (request.isSubscription) {
      throw badRequest('a subscription needs Accept: text/event-stream, or a WebSocket');
    }
    const answer = await endpoint.execute(operation);
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
