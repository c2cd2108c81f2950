import { texts, useTexts } from '../../base/language.tsx';
import { useAmounts } from '../rule-sets/base/amounts.ts';
import type { LoggedRules } from '../rule-sets/base/accounts.ts';
import { useWeekdays } from '../rule-sets/base/weekdays.ts';

const messages = texts(
  { next: 'padrão', fallbacks: 'contingência', cheapest: 'a mais barata primeiro', none: 'sem regras' },
  { next: 'default', fallbacks: 'fallbacks', cheapest: 'the cheapest first', none: 'no rules' },
);

/** Ids of the same time differ only at their end: they are UUIDv7. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

/** Summarizes a routing rule in one line. */
export function useRulesText(): (rules: LoggedRules) => string {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const weekdays = useWeekdays();
  // Entries older than hours and splits have none.
  return ({
    name,
    when = [],
    ranges,
    split = [],
    defaultCredentialId,
    fallbackCredentialIds,
    prefer,
  }: LoggedRules) => {
    const rules = [
      ...when.map((window) => `${weekdays.textOf(window)} → ${shortId(window.credentialId)}`),
      ...ranges.map(({ from, to, credentialId }) => `${amountsOf(from, to)} → ${shortId(credentialId)}`),
      ...split.map(({ credentialId, percent }) => `${percent} % → ${shortId(credentialId)}`),
      ...(defaultCredentialId ? [`${text.next} → ${shortId(defaultCredentialId)}`] : []),
      ...(fallbackCredentialIds.length > 0
        ? [`${text.fallbacks} → ${fallbackCredentialIds.map(shortId).join(', ')}`]
        : []),
      ...(prefer ? [text[prefer]] : []),
    ];
    return `${name} (${rules.join('; ') || text.none})`;
  };
}
