import { texts, useTexts } from '../../shell/language.tsx';
import { useAmounts } from '../rule-sets/amounts.ts';
import type { Rules } from '../rule-sets/documents.ts';

const said = texts(
  { next: 'padrão', fallbacks: 'contingência', none: 'sem regras' },
  { next: 'default', fallbacks: 'fallbacks', none: 'no rules' },
);

/** The end of an id tells it apart. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const isRules = (value: unknown): value is Rules =>
  typeof value === 'object' && value !== null && 'ranges' in value && 'fallbackCredentialIds' in value;

/** A rule set as it was or as it became, in a line. */
export function useRulesText(): (rules: Rules) => string {
  const text = useTexts(said);
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
