import { LRUCache } from 'lru-cache';

/** A document and the name of its operation. */
export interface OperationText {
  query: string;
  operationName?: string | null | undefined;
}

/** What is known of operations by their text. Those of clients are few and short, those of an attacker are not. */
export interface TextCache<Value extends object> {
  get(text: OperationText): Value | undefined;
  set(text: OperationText, value: Value): void;
}

/** Of a document and a name together. */
const longestText = 16_384;

/** The length tells the name from the document: either may contain any character. */
const keyOf = ({ query, operationName }: OperationText): string =>
  `${operationName?.length ?? 0} ${operationName ?? ''}${query}`;

interface Bounds<Value> {
  /** Of all texts and values, roughly. */
  maximumBytes: number;
  /** Of a value, where it is larger than its text. */
  bytesOf?(value: Value): number;
}

export function createTextCache<Value extends object>({
  maximumBytes,
  bytesOf = () => 0,
}: Bounds<Value>): TextCache<Value> {
  const values = new LRUCache<string, Value>({
    maxSize: maximumBytes,
    sizeCalculation: (value, key) => key.length + bytesOf(value),
  });
  return {
    get: (text) => values.get(keyOf(text)),
    set(text, value) {
      const key = keyOf(text);
      if (key.length <= longestText) values.set(key, value);
    },
  };
}
