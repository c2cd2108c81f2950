import { Stack, Text } from '@mantine/core';
import { isRole } from '../../../domain/roles.ts';
import { providerName } from '../../parts/provider-names.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { detailTexts } from './action-texts.ts';
import type { AuditEntry } from './documents.ts';
import { isRules, useRulesText } from './rules-text.ts';

const said = texts(
  { yes: 'sim', no: 'não', none: 'só leitura', test: 'teste', live: 'produção' },
  { yes: 'yes', no: 'no', none: 'read only', test: 'test', live: 'live' },
);

/** How a detail is read, by its name where its value alone does not tell. */
function useDetailText(): (name: string, value: unknown) => string {
  const text = useTexts(said);
  const roleNames = useTexts(roleTexts);
  const rulesText = useRulesText();
  const { money, dateTime } = useFormats();
  return (name, value) => {
    if (name === 'amountInCents') return money(Number(value) / 100);
    if (name === 'amount') return money(Number(value));
    if (name === 'since') return dateTime(String(value));
    if (name === 'provider') return providerName(String(value));
    if (value === 'test' || value === 'live') return text[value];
    if (isRole(value)) return roleNames[value];
    if (isRules(value)) return rulesText(value);
    if (typeof value === 'boolean') return value ? text.yes : text.no;
    if (Array.isArray(value)) return value.join(', ') || (name === 'permissions' ? text.none : '—');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}

/** What was stands before what became of it. */
const places: Readonly<Record<string, number>> = { name: -1, from: 1, to: 2 };
const placeOf = (name: string): number => places[name] ?? 0;

/** What tells apart what was done; its mode stands elsewhere. */
export function Details({ details }: Pick<AuditEntry, 'details'>) {
  const names = useTexts(detailTexts);
  const detailText = useDetailText();
  const shown = Object.entries(details ?? {})
    .filter(([name, value]) => name !== 'mode' && value !== null)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  if (shown.length === 0) return '—';
  return (
    <Stack gap={0}>
      {shown.map(([name, value]) => (
        <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span size="sm" c="dimmed">
            {names[name] ?? name}:
          </Text>{' '}
          {detailText(name, value)}
        </Text>
      ))}
    </Stack>
  );
}
