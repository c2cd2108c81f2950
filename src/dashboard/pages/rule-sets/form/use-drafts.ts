import { useState } from 'react';
import { moved } from './moved.ts';

/** An entry of a list that is being typed; its key stays while entries move. */
export type Draft<Entry> = Entry & { key: number };

export function useDrafts<Entry extends object>(
  initial: readonly Entry[],
  following: (before: readonly Entry[]) => Entry,
) {
  const [drafts, setDrafts] = useState<Draft<Entry>[]>(() =>
    initial.map((entry, key) => ({ ...entry, key })),
  );
  return {
    drafts,
    add: () => {
      setDrafts((before) => {
        const key = Math.max(0, ...before.map((each) => each.key)) + 1;
        return [...before, { ...following(before), key }];
      });
    },
    change: (key: number, changes: Partial<Entry>) => {
      setDrafts((before) => before.map((each) => (each.key === key ? { ...each, ...changes } : each)));
    },
    move: (index: number, by: -1 | 1) => {
      setDrafts((before) => moved(before, index, by));
    },
    remove: (key: number) => {
      setDrafts((before) => before.filter((each) => each.key !== key));
    },
  };
}
