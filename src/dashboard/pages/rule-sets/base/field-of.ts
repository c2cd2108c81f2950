import type { Stretch } from './accounts.ts';
import type { Rules } from './documents.ts';

type Typed<Entry> = { [Name in keyof Entry]: Entry[Name] | string | null };

interface Entries {
  /** They may still be typed. */
  ranges: readonly Typed<Rules['ranges'][number]>[];
  split: readonly Typed<Rules['split'][number]>[];
  defaultCredentialId: string | null;
  fallbackCredentialIds: readonly string[];
}

/** Where is said that a credential is tried for these amounts, as a path in the input. */
export function fieldOf(
  { ranges, split, defaultCredentialId, fallbackCredentialIds }: Entries,
  { from, to }: Stretch,
  credentialId: string,
): string {
  const range = ranges.findIndex(
    (each) => each.credentialId === credentialId && Number(each.from) <= from && to <= Number(each.to),
  );
  if (range >= 0) return `ranges.${range}`;
  const share = split.findIndex((each) => each.credentialId === credentialId);
  if (share >= 0) return `split.${share}`;
  const isFallback = credentialId !== defaultCredentialId && fallbackCredentialIds.includes(credentialId);
  return isFallback ? 'fallbackCredentialIds' : 'defaultCredentialId';
}
