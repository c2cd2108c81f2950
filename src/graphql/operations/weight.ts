import { getOperationAST, type GraphQLSchema, type OperationTypeNode, parse } from 'graphql';
import { isJsonObject } from '../../domain/json/metadata.ts';
import { hidden } from '../../domain/requests/shown.ts';
import { maximumTokens, rootFields } from './limits.ts';
import { createTextCache, type OperationText } from './text-cache.ts';

export interface Weight {
  /** How many requests it counts as. */
  cost: number;
  /** Absent of what cannot be executed. */
  kind: `${OperationTypeNode}` | undefined;
  name: string | undefined;
  /** Root fields, those of the schema by their names. */
  fields: readonly string[];
}

/** It will be refused, and counts as one. */
const unknownOperation: Weight = { cost: 1, kind: undefined, name: undefined, fields: [] };

const maximumNamedFields = 10;

/** Weighs the operation of a request's body, whatever that is. */
export function createWeighing(schema: GraphQLSchema): (body: unknown) => Weight {
  const weights = createTextCache<Weight>({ maximumBytes: 1_048_576 });

  /** Any other name could be anything. */
  function knownFields(kind: OperationTypeNode | undefined, roots: Iterable<string>): string[] {
    const known = kind && schema.getRootType(kind)?.getFields();
    const names = [...roots].map((name) => (known && Object.hasOwn(known, name) ? name : hidden));
    return [...new Set(names)].slice(0, maximumNamedFields);
  }

  function weightOf({ query, operationName }: OperationText): Weight {
    try {
      const document = parse(query, { maxTokens: maximumTokens, noLocation: true });
      const operation = getOperationAST(document, operationName);
      const roots = rootFields(document, operationName ?? undefined);
      return {
        cost: Math.max(1, roots.size),
        kind: operation?.operation,
        name: operation?.name?.value,
        fields: knownFields(operation?.operation, roots.values()),
      };
    } catch {
      return unknownOperation;
    }
  }

  return (body) => {
    if (!isJsonObject(body) || typeof body['query'] !== 'string') return unknownOperation;
    const { query, operationName } = body;
    const text = { query, operationName: typeof operationName === 'string' ? operationName : undefined };
    const known = weights.get(text);
    if (known) return known;
    const weight = weightOf(text);
    weights.set(text, weight);
    return weight;
  };
}
