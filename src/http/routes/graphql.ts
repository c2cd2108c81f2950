import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { badRequest, ServiceError } from '../../core/base/errors.ts';
import { parseExactJson } from '../../core/base/json/exact-json.ts';
import type { LiveSessions } from '../../core/live/live-sessions.ts';
import { toReportedError, transportError } from '../../transport/errors.ts';
import { methodNotAllowed, setErrorHeaders, translate } from '../base/errors.ts';
import type { GraphqlEndpoint, GraphqlRequest, GraphqlResponse } from '../../transport/graphql-endpoint.ts';
import { streamInSession } from '../live/session-stream.ts';
import { defenceBody, jsonBody } from '../base/json-body.ts';
import { idempotencyKeyOf } from './payments/payments.ts';
import { callerOf } from '../base/request-context.ts';
import { sendJsonText } from '../base/send-json.ts';
import { helpLink } from '../../transport/error-body.ts';

const eventStream = 'text/event-stream';

/** Handles a GET without a query, which as a rule comes from a person who opened the address. */
export const redirectBrowsers =
  (hasExplorer: boolean): RequestHandler =>
  (request, response, next) => {
    if (request.query['query'] !== undefined) next();
    else if (hasExplorer) response.redirect('/explorer/');
    else if (request.accepts('json', 'html') === 'html') response.redirect('/docs/graphql');
    else void methodNotAllowed('POST')(request, response, next);
  };

const usualBody = Router().use(jsonBody);
const largeBody = Router().use(defenceBody);

/** People send files of payments and documents in one request; keys do so over REST. */
const readBody: RequestHandler = (request, response, next) => {
  const read = request.caller?.kind === 'person' ? largeBody : usualBody;
  void read(request, response, next);
};

/** Reads a query from the URL, into which clients in browsers put what fits. */
const readParameters: RequestHandler = (request, _response, next) => {
  const { query, operationName, ...objects } = request.query;
  request.body = {
    query,
    ...(operationName !== undefined && { operationName }),
    ...parseParameter('variables', objects['variables']),
    ...parseParameter('extensions', objects['extensions']),
  };
  next();
};

/** Clients that can read streams, such as urql, say so with each operation, but prefer JSON, which has a status. */
function isStreamWanted(request: Request): boolean {
  const { accept = '' } = request.headers;
  if (request.isSubscription) return accept.includes(eventStream);
  // Negotiating takes as long as the rest of the route.
  return (
    accept.includes('text/') &&
    request.accepts(['application/json', graphqlType, eventStream]) === eventStream
  );
}

function parseParameter(name: string, text: unknown): object {
  if (text === undefined || text === '') return {};
  try {
    if (typeof text === 'string') return { [name]: parseExactJson(text) };
  } catch (error) {
    const known = toReportedError(error);
    if (known) throw known;
  }
  throw badRequest(`${name} must be a JSON object`);
}

/** The status of this type is that of the operation, so Apollo Client 4 reads the errors of a 4xx only from it. */
const graphqlType = 'application/graphql-response+json';

function sendResult(request: Request, response: Response, { statusCode, body }: GraphqlResponse): void {
  const type = request.accepts(['application/json', graphqlType]) || 'application/json';
  response.appendHeader('Vary', 'Accept');
  sendJsonText(response, statusCode, body, type);
}

/** The format of GraphQL over SSE in its distinct connections mode. */
const nextEvent = (result: string): string => `event: next\ndata: ${result}\n\n`;
const completeEvent = 'event: complete\ndata:\n\n';

/** Authenticates before the body is read. The limits apply once the cost of the operation is known. */
export function graphqlRoute(
  endpoint: GraphqlEndpoint,
  sessions: Pick<LiveSessions, 'open'>,
  authenticate: {
    post: RequestHandler;
    /** Also requires what no browser sends by itself, because other sites can make a browser send a GET with its cookies. */
    get: RequestHandler;
  },
  limits: readonly RequestHandler[],
): Record<'get' | 'post', (RequestHandler | ErrorRequestHandler)[]> {
  const unreadable = new WeakMap<Request, unknown>();

  // An unreadable body counts as a request too, so its error is kept until then.
  const keepBodyError: ErrorRequestHandler = (error: unknown, request, _response, next) => {
    if (!request.caller) {
      next(error);
      return;
    }
    unreadable.set(request, error);
    next();
  };

  const weigh: RequestHandler = (request, _response, next) => {
    const weight = endpoint.weigh(request.body);
    request.weight = weight;
    request.operationNotes = {};
    request.cost = weight.cost;
    request.isSubscription = weight.kind === 'subscription';
    next();
  };

  const stream = (operation: GraphqlRequest, request: Request, response: Response): Promise<void> =>
    streamInSession(sessions, request, response, {
      async begin() {
        const streamed = await endpoint.stream(operation);
        if ('results' in streamed) return streamed.results;
        operation.notes.errors = streamed.errors;
        sendJsonText(response, 400, JSON.stringify(streamed));
        return undefined;
      },
      print: nextEvent,
      printEnd: (reason) =>
        (reason ? nextEvent(endpoint.refuse(reason, operation.traceId).body) : '') + completeEvent,
    });

  const execute: RequestHandler = async (request, response) => {
    if (unreadable.has(request)) throw unreadable.get(request);
    const { weight: { kind, cost = 1 } = {}, operationNotes: notes = {} } = request;
    if (request.method === 'GET' && kind !== undefined && kind !== 'query') {
      throw transportError('method_not_allowed', `a ${kind} must be sent by POST`, {
        allowedMethods: ['POST'],
      });
    }
    const idempotencyKey = idempotencyKeyOf(request);
    if (idempotencyKey !== undefined && kind === 'mutation' && cost > 1) {
      throw new ServiceError(
        'invalid_idempotency_key',
        `Idempotency-Key is for one mutation, and this operation has ${cost}: send the argument idempotencyKey with each instead`,
      );
    }
    const operation = {
      body: request.body as unknown,
      caller: callerOf(request),
      traceId: request.traceId,
      idempotencyKey,
      notes,
    };
    if (isStreamWanted(request)) {
      await stream(operation, request, response);
      return;
    }
    if (request.isSubscription) {
      throw badRequest('subscriptions require Accept: text/event-stream or a WebSocket');
    }
    const result = await endpoint.execute(operation);
    if (result.retryAfterSeconds !== undefined) response.setHeader('Retry-After', result.retryAfterSeconds);
    if (result.errorCode !== undefined) {
      response.setHeader('X-Error-Code', result.errorCode);
      response.setHeader('Link', helpLink(result.errorCode));
    }
    sendResult(request, response, result);
  };

  const refuse: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = translate(thrown);
    request.refusal = error;
    setErrorHeaders(response, error);
    sendResult(request, response, endpoint.refuse(error, request.traceId));
  };

  return {
    post: [authenticate.post, readBody, keepBodyError, weigh, ...limits, execute, refuse],
    get: [authenticate.get, readParameters, keepBodyError, weigh, ...limits, execute, refuse],
  };
}
