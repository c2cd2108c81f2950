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

const keyOf = ({ query, operationName }: OperationText): string => `${operationName ?? ''}\0${query}`;

/** `maximum`: values, where they are larger than the texts. */
export function createTextCache<Value extends object>(maximum?: number): TextCache<Value> {
  const values = new LRUCache<string, Value>({
    ...(maximum !== undefined && { max: maximum }),
    maxSize: 1_048_576,
    maxEntrySize: 16_384,
    sizeCalculation: (_value, key) => key.length,
  });
  return {
    get: (text) => values.get(keyOf(text)),
    set: (text, value) => void values.set(keyOf(text), value),
  };
}
