import { useState } from 'react';
import { minimumAmountInReais } from '../../../../core/base/money.ts';
import type { RuleSet } from '../base/documents.ts';
import { moved } from './moved.ts';
import type { Draft } from './range-row.tsx';

/** A new range starts one cent above the last one. */
function following(drafts: readonly Draft[]): Draft {
  const last = drafts.at(-1);
  const from =
    typeof last?.to === 'number' ? Math.round(last.to * 100 + 1) / 100 : last ? '' : minimumAmountInReais;
  return { key: Math.max(0, ...drafts.map(({ key }) => key)) + 1, from, to: '', credentialId: null };
}

/** `complete` is undefined while a range is incomplete. */
export function useRangeDrafts(initial?: RuleSet['ranges']) {
  const [drafts, setDrafts] = useState<Draft[]>(
    () => initial?.map((range, key) => ({ key, ...range })) ?? [following([])],
  );
  const complete = drafts.flatMap(({ from, to, credentialId }): RuleSet['ranges'] =>
    typeof from === 'number' && typeof to === 'number' && credentialId ? [{ from, to, credentialId }] : [],
  );
  return {
    drafts,
    complete: complete.length === drafts.length ? complete : undefined,
    add: () => {
      setDrafts((before) => [...before, following(before)]);
    },
    change: (key: number, changes: Partial<Draft>) => {
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
