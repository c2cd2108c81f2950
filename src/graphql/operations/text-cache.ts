import { LRUCache } from 'lru-cache';

/** A document and the name of its operation. */
export interface OperationText {
  query: string;
  operationName?: string | undefined;
}

/** What is known of operations by their text. Those of clients are few and short, those of an attacker are not. */
export interface TextCache<Value extends object> {
  get(text: OperationText): Value | undefined;
  set(text: OperationText, value: Value): void;
}

/** Bounds a document and a name together. */
const longestText = 16_384;

/** The length tells the name from the document: either may contain any character. */
const keyOf = ({ query, operationName }: OperationText): string =>
  `${operationName?.length ?? 0} ${operationName ?? ''}${query}`;

interface Bounds {
  /** Bounds all texts together. */
  maximumBytes: number;
}

export function createTextCache<Value extends object>({ maximumBytes }: Bounds): TextCache<Value> {
  const values = new LRUCache<string, Value>({
    maxSize: maximumBytes,
    sizeCalculation: (_value, key) => key.length,
  });
  return {
    get: (text) => values.get(keyOf(text)),
    set(text, value) {
      const key = keyOf(text);
      if (key.length <= longestText) values.set(key, value);
    },
  };
}
