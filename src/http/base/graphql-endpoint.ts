import type { Caller } from '../../core/base/caller.ts';
import type { OperationNotes } from '../../transport/operation-notes.ts';

export type OperationKind = 'query' | 'mutation' | 'subscription';

export interface WeighedOperation {
  /** Number of requests that it counts as: its root fields, or 1 if it cannot be parsed. */
  cost: number;
  /** Undefined if it cannot be executed. */
  kind: OperationKind | undefined;
  name: string | undefined;
  /** Root fields, those of the schema by their names. */
  fields: readonly string[];
}

/** GraphQL as the HTTP server sees it. */
export interface GraphqlEndpoint {
  /** Has the names of fields, arguments and members of inputs. */
  names: ReadonlySet<string>;
  weigh(body: unknown): WeighedOperation;
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
  /** Written while it runs. */
  notes: OperationNotes;
}

export interface GraphqlResponse {
  statusCode: number;
  body: string;
  /** Set for a transient error in the body. */
  retryAfterSeconds?: number;
  /** Code of the first error, if nothing was executed. */
  errorCode?: string;
}
