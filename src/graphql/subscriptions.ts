import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../core/base/errors.ts';
import { printJson } from '../core/base/json/json-text.ts';
import type { JsonObject } from '../core/base/json/json-object.ts';
import type { GraphqlContext } from './base/context.ts';
import { causeOf } from './errors.ts';
import { assertAffordable } from './limits/cost.ts';
import { limitRules, maximumTokens } from './limits/limits.ts';
import type { OperationRequest } from './base/request-input.ts';

/** One or more results of an operation as JSON; `return` ends them. */
export type Results = AsyncGenerator<string, undefined>;

/** A stream of results, or why the operation cannot be executed. */
export type Subscribed = { results: Results } | { errors: GraphQLFormattedError[] };

interface Dependencies {
  schema: GraphQLSchema;
  print(error: unknown, context: GraphqlContext, place?: GraphQLError): GraphQLFormattedError;
  /** Our error for input that graphql-js rejects. */
  inputError(document: DocumentNode, variables: JsonObject, context: GraphqlContext): unknown;
}

/** Maps each item and forwards `return` at once, whereas a generator would first wait for its next item. */
function mapped<In, Out>(
  items: AsyncGenerator<In, unknown>,
  map: (item: In) => Out,
): AsyncGenerator<Out, undefined> {
  const convert = async (
    step: Promise<IteratorResult<In, unknown>>,
  ): Promise<IteratorResult<Out, undefined>> => {
    const { done, value } = await step;
    return done ? { done: true, value: undefined } : { done: false, value: map(value) };
  };
  const results = {
    next: () => convert(items.next()),
    return: () => convert(items.return(undefined)),
    throw: (error: unknown) => convert(items.throw(error)),
    [Symbol.asyncIterator]: () => results,
    [Symbol.asyncDispose]: async () => void (await results.return()),
  };
  return results;
}

/** The only result of a query or mutation. */
export async function* single(respond: () => Promise<string>): Results {
  yield await respond();
  return undefined;
}

const isStream = (result: unknown): result is AsyncGenerator<ExecutionResult, unknown> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Executes subscriptions, which Apollo Server does not support, with graphql-js under the same rules. */
export function createSubscriptions({ schema, print, inputError }: Dependencies) {
  function printResult({ errors, data }: ExecutionResult, context: GraphqlContext): string {
    return printJson({
      ...(data !== undefined && { data }),
      ...(errors && { errors: errors.map((error) => print(causeOf(error), context, error)) }),
    });
  }

  /** Keyed by their text, because payers' pages all send the same one, and each open page would keep a copy. */
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: 262_144,
    maxEntrySize: 16_384,
    sizeCalculation: (_document, query) => query.length,
  });

  /** The parsed document, or why it is not valid. */
  function documentOf(query: string): DocumentNode | readonly GraphQLError[] {
    const known = documents.get(query);
    if (known) return known;
    try {
      const document = parse(query, { maxTokens: maximumTokens });
      const violations = validate(schema, document, [...specifiedRules, ...limitRules]);
      if (violations.length > 0) return violations;
      documents.set(query, document);
      return document;
    } catch (error) {
      return [error as GraphQLError];
    }
  }

  return async function run(request: OperationRequest, context: GraphqlContext): Promise<Subscribed> {
    const refused = (errors: readonly GraphQLError[]): Subscribed => ({
      errors: errors.map((error) => print(causeOf(error), context, error)),
    });
    const { query, operationName, variables: variableValues } = request;
    const document = documentOf(query);
    if (!('definitions' in document)) return refused(document);
    const operation = getOperationAST(document, operationName);
    try {
      if (operation) assertAffordable(schema, { document, operation, variables: variableValues });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { errors: [print(error, context)] };
    }
    const result = await subscribe({
      schema,
      document,
      variableValues,
      operationName,
      contextValue: context,
    });
    if (isStream(result)) return { results: mapped(result, (each) => printResult(each, context)) };
    const wasCoercion = result.errors?.every(({ path }) => !path) && operation;
    const known = wasCoercion ? inputError(document, variableValues, context) : undefined;
    if (known) return { errors: [print(known, context)] };
    if (wasCoercion) return refused(result.errors ?? []);
    return { results: single(() => Promise.resolve(printResult(result, context))) };
  };
}
