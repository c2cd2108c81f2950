import type { ReactNode } from 'react';

/** Does what `join` does with texts; elements need keys. */
export const separated = (nodes: readonly ReactNode[], separator: string): ReactNode[] =>
  nodes.flatMap((node, at) => (at === 0 ? [node] : [separator, node]));
