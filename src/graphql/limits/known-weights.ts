import { LRUCache } from 'lru-cache';
import type { WeighedOperation } from '../../transport/graphql-endpoint.ts';

/** A document and the name of its operation. */
export interface OperationText {
  query: string;
  operationName?: string | undefined;
}

/** Remembers weights by the operation's text. Clients' operations are few and short, an attacker's are not. */
export interface KnownWeights {
  get(text: OperationText): WeighedOperation | undefined;
  set(text: OperationText, weight: WeighedOperation): void;
}

/** Limit of a document and a name together. */
const longestText = 16_384;

/** The length separates the name from the document, because either may contain any character. */
const keyOf = ({ query, operationName }: OperationText): string =>
  `${operationName?.length ?? 0} ${operationName ?? ''}${query}`;

interface Bounds {
  /** Limit of all texts together. */
  maximumBytes: number;
}

export function createKnownWeights({ maximumBytes }: Bounds): KnownWeights {
  const weights = new LRUCache<string, WeighedOperation>({
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
