import type { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';

export interface Weight {
  /** How many requests it counts as. */
  cost: number;
  /** Absent of what cannot be executed. */
  kind: `${OperationTypeNode}` | undefined;
  name: string | undefined;
  /** Root fields, those of the schema by their names. */
  fields: readonly string[];
}

/** A document and the name of its operation. */
export interface OperationText {
  query: string;
  operationName?: string | undefined;
}

/** Weights of operations by their text. Those of clients are few and short, those of an attacker are not. */
export interface KnownWeights {
  get(text: OperationText): Weight | undefined;
  set(text: OperationText, weight: Weight): void;
}

/** A document and a name together. */
const longestText = 16_384;

/** The length tells the name from the document: either may contain any character. */
const keyOf = ({ query, operationName }: OperationText): string =>
  `${operationName?.length ?? 0} ${operationName ?? ''}${query}`;

interface Bounds {
  /** Bounds all texts together. */
  maximumBytes: number;
}

export function createKnownWeights({ maximumBytes }: Bounds): KnownWeights {
  const weights = new LRUCache<string, Weight>({
    maxSize: maximumBytes,
    sizeCalculation: (_weight, key) => key.length,
  });
  return {
    get: (text) => weights.get(keyOf(text)),
    set(text, weight) {
      const key = keyOf(text);
      if (key.length <= longestText) weights.set(key, weight);
    },
  };
}
