import type { Caller } from '../core/base/caller.ts';
import type { OperationNotes } from './operation-notes.ts';

type OperationKind = 'query' | 'mutation' | 'subscription';

export interface WeighedOperation {
  /** How many requests it counts as: one per root field, or 1 if it cannot be parsed. */
  cost: number;
  /** Undefined when it cannot be executed. */
  kind: OperationKind | undefined;
  name: string | undefined;
  /** Names of the root fields; any that the schema does not have is hidden. */
  fields: readonly string[];
}

/** GraphQL as the HTTP server sees it, which does not import it. */
export interface GraphqlEndpoint {
  /** All names of fields, arguments and input members. */
  names: ReadonlySet<string>;
  weigh(body: unknown): WeighedOperation;
  execute(request: GraphqlRequest): Promise<GraphqlResponse>;
  /** Yields the results one by one, or returns `errors` if the operation cannot be executed. */
  stream(request: GraphqlRequest): Promise<{ results: GraphqlResults } | { errors: readonly GraphqlError[] }>;
  /** The response to a request refused before execution. */
  refuse(error: unknown, traceId: string): GraphqlResponse;
}

/** Serialised results. Calling `return` ends the operation, whatever it is waiting for. */
export type GraphqlResults = AsyncGenerator<string, undefined>;

interface GraphqlError {
  message: string;
  extensions?: object;
}

export interface GraphqlRequest {
  body: unknown;
  caller: Caller;
  traceId: string;
  idempotencyKey: string | undefined;
  /** Filled while the operation runs. */
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
