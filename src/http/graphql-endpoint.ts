import type { Caller } from '../services/caller.ts';

export type OperationKind = 'query' | 'mutation' | 'subscription';

/** GraphQL as the HTTP server sees it. */
export interface GraphqlEndpoint {
  /**
   * Number of requests that an operation counts as: its root fields, or 1 if it cannot be parsed. Without `kind`
   * it cannot be executed either.
   */
  weigh(body: unknown): { cost: number; kind: OperationKind | undefined };
  execute(request: GraphqlRequest): Promise<GraphqlResponse>;
  /** Results one by one; `errors` when the operation cannot be executed. */
  stream(request: GraphqlRequest): Promise<{ results: GraphqlResults } | { errors: readonly GraphqlError[] }>;
  /** The response to a request refused before execution. */
  refuse(error: unknown, traceId: string): GraphqlResponse;
}

/** Serialised results. `return` ends the operation, whatever it is waiting for. */
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

export interface GraphqlResponse {
  statusCode: number;
  body: string;
  /** Set for a transient error in the body. */
  retryAfterSeconds?: number;
}
