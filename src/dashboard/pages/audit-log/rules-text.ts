import { texts, useTexts } from '../../base/language.tsx';
import { useAmounts } from '../rule-sets/base/amounts.ts';
import type { Rules } from '../rule-sets/base/documents.ts';

const messages = texts(
  { next: 'padrão', fallbacks: 'contingência', none: 'sem regras' },
  { next: 'default', fallbacks: 'fallbacks', none: 'no rules' },
);

/** Ids of the same time differ only at their end: they are UUIDv7. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const isRules = (value: unknown): value is Rules =>
  typeof value === 'object' && value !== null && 'ranges' in value && 'fallbackCredentialIds' in value;

/** Summarizes a routing rule in one line. */
export function useRulesText(): (rules: Rules) => string {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  return ({ name, ranges, defaultCredentialId, fallbackCredentialIds }) => {
    const rules = [
      ...ranges.map(({ from, to, credentialId }) => `${amountsOf(from, to)} → ${shortId(credentialId)}`),
      ...(defaultCredentialId ? [`${text.next} → ${shortId(defaultCredentialId)}`] : []),
      ...(fallbackCredentialIds.length > 0
        ? [`${text.fallbacks} → ${fallbackCredentialIds.map(shortId).join(', ')}`]
        : []),
    ];
    return `${name} (${rules.join('; ') || text.none})`;
  };
}
