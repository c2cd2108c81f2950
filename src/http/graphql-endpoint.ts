import type { Caller } from '../services/caller.ts';

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

/** Each as JSON. `return` ends it, whatever it waits for. */
export type GraphqlResults = AsyncGenerator<string, undefined>;

export interface GraphqlError {
  message: string;
  extensions?: object;
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
  /** Of an error in the body that will pass. */
  retryAfterSeconds?: number;
}
