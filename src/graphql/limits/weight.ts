import { getOperationAST, type GraphQLSchema, type OperationTypeNode, parse } from 'graphql';
import { isJsonObject } from '../../core/base/json/json-object.ts';
import { hidden } from '../../core/live/rules/shown.ts';
import { operationNameOf } from '../base/request-input.ts';
import { maximumTokens, rootFields } from './limits.ts';
import type { WeighedOperation } from '../../transport/graphql-endpoint.ts';
import { createKnownWeights, type OperationText } from './known-weights.ts';

/** It will be refused, and counts as one request. */
const unknownOperation: WeighedOperation = { cost: 1, kind: undefined, name: undefined, fields: [] };

const maximumNamedFields = 10;

/** Weighs the operation in a request's body, whatever the body contains. */
export function createWeighing(schema: GraphQLSchema): (body: unknown) => WeighedOperation {
  const weights = createKnownWeights({ maximumBytes: 1_048_576 });

  /** Names that the schema does not have are hidden, because they could be anything. */
  function knownFields(kind: OperationTypeNode, roots: Iterable<string>): string[] {
    const known = schema.getRootType(kind)?.getFields();
    const names = [...roots].map((name) => (known && Object.hasOwn(known, name) ? name : hidden));
    return [...new Set(names)].slice(0, maximumNamedFields);
  }

  function weightOf({ query, operationName }: OperationText): WeighedOperation {
    try {
      const document = parse(query, { maxTokens: maximumTokens, noLocation: true });
      // Execution, too, refuses a document that does not have exactly one such operation.
      const operation = getOperationAST(document, operationName);
      if (!operation) return unknownOperation;
      const roots = rootFields(document, operation);
      return {
        cost: Math.max(1, roots.size),
        kind: operation.operation,
        name: operation.name?.value,
        fields: knownFields(operation.operation, roots.values()),
      };
    } catch {
      return unknownOperation;
    }
  }

  return (body) => {
    if (!isJsonObject(body) || typeof body['query'] !== 'string') return unknownOperation;
    const text = { query: body['query'], operationName: operationNameOf(body['operationName']) };
    const known = weights.get(text);
    if (known) return known;
    const weight = weightOf(text);
    weights.set(text, weight);
    return weight;
  };
}
