import { GraphQLError } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { Caller } from '../../core/base/caller.ts';
import type { GraphqlEndpoint, GraphqlResults } from '../../transport/graphql-endpoint.ts';
import { type MeasureOperation, whenOver } from './measure-operations.ts';
import type { InFlight } from './in-flight.ts';
import type { GuardedSocket } from './web-socket.ts';

interface Dependencies {
  graphql: Pick<GraphqlEndpoint, 'weigh' | 'stream' | 'refuse'>;
  count(caller: Caller, cost: number): Promise<void>;
  measure: MeasureOperation;
}

const printed = (errors: readonly { message: string; extensions?: object }[]): GraphQLError[] =>
  errors.map(({ message, extensions }) => new GraphQLError(message, { extensions: { ...extensions } }));

/** Counts, measures and begins an operation. Returns its results, or why it was refused. */
export function createSocketOperations({ graphql, count, measure }: Dependencies) {
  return async (
    caller: Caller,
    payload: SubscribePayload,
    inFlight: InFlight,
  ): Promise<GraphqlResults | GraphQLError[]> => {
    const weight = graphql.weigh(payload);
    const isSubscription = weight.kind === 'subscription';
    const operation = measure(caller, weight);
    const { traceId, traceparent, notes } = operation;
    const leave = isSubscription ? undefined : inFlight.add();
    const over = (): void => {
      operation.over();
      leave?.();
    };
    const refused = (statusCode: number, errors: Parameters<typeof printed>[0]): GraphQLError[] => {
      notes.errors = errors;
      operation.responded(statusCode);
      over();
      return printed(errors);
    };
    try {
      await count(caller, weight.cost);
      const streamed = await graphql.stream({
        body: payload,
        caller: { ...caller, traceparent },
        traceId,
        idempotencyKey: undefined,
        notes,
      });
      if ('errors' in streamed) return refused(400, streamed.errors);
      if (isSubscription) operation.responded(200);
      return whenOver(streamed.results, over);
    } catch (error) {
      const { statusCode, body } = graphql.refuse(error, traceId);
      const { errors } = JSON.parse(body) as { errors: GraphQLError[] };
      return refused(statusCode, errors);
    }
  };
}

/** Sends the serialised results itself and yields none, because graphql-ws would parse and print them again. */
export function sendResults(
  results: GraphqlResults,
  id: string,
  socket: GuardedSocket,
): AsyncGenerator<never, undefined> {
  const name = JSON.stringify(id);
  const sending = {
    async next() {
      for (;;) {
        const step = await results.next();
        if (step.done) return step;
        await socket.send(`{"id":${name},"type":"next","payload":${step.value}}`);
      }
    },
    async return() {
      await results.return(undefined);
      return { done: true as const, value: undefined };
    },
    throw: async (error: unknown): Promise<never> => {
      await results.return(undefined);
      throw error;
    },
    [Symbol.asyncIterator]: () => sending,
    [Symbol.asyncDispose]: async () => void (await results.return(undefined)),
  };
  return sending;
}
