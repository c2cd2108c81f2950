import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { traceIdOf } from '../../observability/trace.ts';
import { noTracing, type Tracing } from '../../observability/tracing.ts';
import type { Caller } from '../../core/base/caller.ts';
import { failureIn, type OperationNotes } from '../../transport/operation-notes.ts';
import type { GraphqlResults, WeighedOperation } from '../../transport/graphql-endpoint.ts';
import type { RequestNotes } from './request-notes.ts';
import { actorOf } from '../base/request-context.ts';

/** An operation over a WebSocket, which has no request of its own. */
interface MeasuredOperation {
  traceId: string;
  traceparent: string | undefined;
  /** Called with the response, or when a subscription has started. Ignores further calls. */
  responded(statusCode: number): void;
  /** GraphQL writes to it. */
  notes: OperationNotes;
  /** Logs the operation when it ends. Ignores further calls. */
  over(): void;
}

export type MeasureOperation = (caller: Caller, weight: WeighedOperation) => MeasuredOperation;

/** Traces, measures and logs every operation as if it were a request. */
export const measureOperations =
  (logger: Logger, metrics: Metrics, tracing: Tracing, note: RequestNotes['operation']): MeasureOperation =>
  (caller, weight) => {
    const isSubscription = weight.kind === 'subscription';
    const notes: OperationNotes = {};
    // A subscription may last for hours, so it gets no span.
    const { start } = isSubscription ? noTracing : tracing;
    const span = start('WebSocket /graphql', { kind: 'server', attributes: { 'http.route': '/graphql' } });
    const traceId = traceIdOf(span.traceparent);
    const startedAt = performance.now();
    const kind = isSubscription ? 'subscription' : 'single';
    let status: number | undefined;
    let isOver = false;

    function responded(statusCode: number): void {
      if (status !== undefined) return;
      status = statusCode;
      metrics.operationResponded(kind, statusCode, (performance.now() - startedAt) / 1000);
    }

    return {
      traceId,
      traceparent: span.traceparent,
      notes,
      responded,
      over() {
        if (isOver) return;
        isOver = true;
        const failure = failureIn(notes);
        responded(failure?.statusCode ?? 200);
        if (failure) metrics.requestFailed(failure.code, caller.mode);
        const durationMs = performance.now() - startedAt;
        note(caller, { weight, notes, status: status ?? 200, durationMs, traceId });
        span.end({
          attributes: {
            'http.response.status_code': status,
            'pix.organization.id': caller.organizationId,
          },
          ...(status !== undefined && status >= 500 && { failure: `HTTP ${status}` }),
        });
        logger.info(
          {
            traceId,
            route: '/graphql',
            transport: 'websocket',
            kind,
            status,
            durationMs: Math.round(durationMs * 1000) / 1000,
            organizationId: caller.organizationId,
            ...actorOf(caller),
          },
          'operation',
        );
      },
    };
  };

/** Calls `over` after the last result, or when the operation is ended. */
export function whenOver(results: GraphqlResults, over: () => void): GraphqlResults {
  const noted = {
    async next() {
      try {
        const step = await results.next();
        if (step.done) over();
        return step;
      } catch (error) {
        over();
        throw error;
      }
    },
    return() {
      over();
      return results.return(undefined);
    },
    throw(error: unknown) {
      over();
      return results.throw(error);
    },
    [Symbol.asyncIterator]: () => noted,
    [Symbol.asyncDispose]: async () => void (await noted.return()),
  };
  return noted;
}
