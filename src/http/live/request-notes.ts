import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../core/base/errors.ts';
import type { Problem } from '../../core/base/problems/rules.ts';
import { shownFields, shownOperationName, shownTarget } from '../../core/live/rules/shown.ts';
import type { Caller, KeyCaller } from '../../core/base/caller.ts';
import type { KeptRequests } from '../../core/live/kept-requests.ts';
import type { RequestFeed } from '../../core/live/request-feed.ts';
import type { ServedRequest } from '../../core/live/served-request.ts';
import { errorCodeOf } from '../../transport/error-body.ts';
import type { OperationNotes } from '../../transport/operation-notes.ts';
import { translate } from '../base/errors.ts';
import type { WeighedOperation } from '../../transport/graphql-endpoint.ts';
import { requestVocabulary } from './request-vocabulary.ts';

interface Dependencies {
  feed: Pick<RequestFeed, 'isFollowed' | 'add'>;
  kept: Pick<KeptRequests, 'hasRoom' | 'add'>;
  /** All names of fields, arguments and input members. */
  graphqlNames: Iterable<string>;
  /** The holder of a key that this node has seen lately. */
  recognize(request: Request): Caller | undefined;
  now: () => Date;
}

/** An operation over a WebSocket. */
interface NotedOperation {
  weight: WeighedOperation;
  notes: OperationNotes;
  status: number;
  durationMs: number;
  traceId: string;
}

type Refusals = NonNullable<ServedRequest['errors']>;

export interface RequestNotes {
  /** Notes a request of a key once it is over. */
  served: RequestHandler;
  /** Notes a request that no route accepted, whose key nobody has looked at. */
  unrouted: ErrorRequestHandler;
  operation(caller: Caller, operation: NotedOperation): void;
}

const maximumErrors = 10;

/** Notes requests of keys for those who follow them and for a while, using only words from closed lists. */
export function createRequestNotes({ feed, kept, graphqlNames, recognize, now }: Dependencies): RequestNotes {
  const vocabulary = requestVocabulary(graphqlNames);

  const isNoted = (caller: KeyCaller, isRefused: boolean): boolean =>
    feed.isFollowed(caller.keyId) || kept.hasRoom(caller, isRefused);

  const refusalOf = (code: string, problems: readonly Problem[] = []): Refusals[number] => ({
    code,
    fields: shownFields(
      problems.map(({ path }) => path),
      vocabulary,
    ),
  });

  function refusalsOf(thrown: unknown, { errors = [] }: OperationNotes): Refusals {
    const ofGraphql = errors.slice(0, maximumErrors).map(({ extensions = {} }) => {
      const { reason, problems } = extensions as { reason?: string; problems?: Problem[] };
      return refusalOf(reason ?? 'internal_error', problems);
    });
    if (thrown === undefined) return ofGraphql;
    const error = translate(thrown);
    const problems = error instanceof ServiceError ? error.context.problems : undefined;
    return [...ofGraphql, refusalOf(errorCodeOf(error), problems)];
  }

  const shownOperation = ({ kind, name, fields }: WeighedOperation) =>
    kind && {
      type: kind,
      fields: [...fields],
      ...(name !== undefined && { name: shownOperationName(name) }),
    };

  function add(
    caller: KeyCaller,
    { durationMs, ...request }: Omit<ServedRequest, 'at' | 'operation' | 'errors' | 'idempotencyKey'>,
    more: { weight: WeighedOperation | undefined; notes: OperationNotes; thrown?: unknown },
  ): void {
    const operation = more.weight && shownOperation(more.weight);
    const errors = refusalsOf(more.thrown, more.notes);
    const { idempotencyKey } = more.notes;
    const isRefused = errors.length > 0;
    const noted = {
      at: new Date(now().getTime() - durationMs).toISOString(),
      ...request,
      durationMs: Math.round(durationMs),
      ...(operation && { operation }),
      ...(idempotencyKey && { idempotencyKey }),
      ...(isRefused && { errors }),
    };
    feed.add(caller.keyId, noted);
    if (kept.hasRoom(caller, isRefused)) kept.add(caller, isRefused, noted);
  }

  function noteWhenOver(caller: KeyCaller, request: Request, response: Response): void {
    response.once('close', () => {
      const { method, originalUrl, traceId, startedAt, weight, refusal, operationNotes } = request;
      if (!isNoted(caller, refusal !== undefined || Boolean(operationNotes?.errors?.length))) return;
      const wasSent = request.headers['idempotency-key'] !== undefined;
      const wasReplayed = response.hasHeader('Idempotency-Replayed');
      add(
        caller,
        {
          method,
          path: shownTarget(originalUrl, vocabulary),
          status: response.statusCode,
          durationMs: performance.now() - startedAt,
          traceId,
          ...(!response.writableFinished && { isAborted: true }),
        },
        {
          weight,
          notes: {
            ...(wasSent && { idempotencyKey: wasReplayed ? 'replayed' : 'sent' }),
            ...operationNotes,
          },
          thrown: refusal,
        },
      );
    });
  }

  return {
    served(request, response, next) {
      if (request.caller?.kind === 'key') noteWhenOver(request.caller, request, response);
      next();
    },

    unrouted(error, request, response, next) {
      const caller = request.caller ? undefined : recognize(request);
      if (caller?.kind === 'key') noteWhenOver(caller, request, response);
      next(error);
    },

    operation(caller, { weight, notes, ...request }) {
      if (caller.kind === 'key' && isNoted(caller, Boolean(notes.errors?.length)))
        add(caller, { method: 'WS', path: '/graphql', ...request }, { weight, notes });
    },
  };
}
