import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Caller } from '../services/caller.ts';
import type { GraphqlResults } from './graphql-endpoint.ts';
import { actorOf } from './request-context.ts';

/** An operation over a WebSocket, which is no request of its own. */
export interface MeasuredOperation {
  /** Measured when it is answered, or a subscription has begun; the first time counts. */
  answered(statusCode: number): void;
  /** Logged when it is over; the first time counts. */
  over(): void;
}

export type MeasureOperation = (
  caller: Caller,
  operation: { traceId: string; isSubscription: boolean },
) => MeasuredOperation;

/** Gives every operation what a request has: one measurement, and one log line when it is over. */
export const measureOperations =
  (logger: Logger, metrics: Metrics): MeasureOperation =>
  (caller, { traceId, isSubscription }) => {
    const startedAt = performance.now();
    const kind = isSubscription ? 'subscription' : 'single';
    let status: number | undefined;
    let isOver = false;

    function answered(statusCode: number): void {
      if (status !== undefined) return;
      status = statusCode;
      metrics.operationAnswered(kind, statusCode, (performance.now() - startedAt) / 1000);
    }

    return {
      answered,
      over() {
        if (isOver) return;
        isOver = true;
        answered(200);
        logger.info(
          {
            traceId,
            route: '/graphql',
            transport: 'websocket',
            kind,
            status,
            durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
            organizationId: caller.organizationId,
            ...actorOf(caller),
          },
          'operation',
        );
      },
    };
  };

/** Calls when it has given its last result, or is ended. */
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
