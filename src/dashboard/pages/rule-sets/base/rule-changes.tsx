import { List, Stack, Text } from '@mantine/core';
import type { Mode } from '../../../../core/base/mode.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { type Accounts, compareStretches, type LoggedRules } from './accounts.ts';
import { AmountRuler } from './amount-ruler.tsx';
import { useAmounts } from './amounts.ts';
import { useWeekdays } from './weekdays.ts';

const messages = texts(
  {
    title: 'O que muda para novas cobranças',
    change: (amounts: string, before: string, after: string) => `${amounts}: de ${before} para ${after}`,
    nobody: 'nenhuma credencial',
    when: 'Horários',
    split: 'Divisão',
    prefer: 'Preferência',
    cheapest: 'a mais barata',
    nothing: 'nada',
  },
  {
    title: 'What changes for new payments',
    change: (amounts, before, after) => `${amounts}: from ${before} to ${after}`,
    nobody: 'no credential',
    when: 'Hours',
    split: 'Split',
    prefer: 'Preference',
    cheapest: 'the cheapest',
    nothing: 'nothing',
  },
);

type Unnamed = Omit<LoggedRules, 'name'>;

interface RuleChangesProps {
  mode: Mode;
  before: Unnamed;
  after: Unnamed;
  accounts: Accounts;
  /** The form draws them elsewhere. */
  isDrawn?: boolean;
}

const whole = (rules: Unnamed) => ({ when: [], split: [], prefer: null, ...rules });

/** Says for which amounts the order of attempts would be another, and draws both orders if `isDrawn`. Renders nothing where all stays. */
export function RuleChanges({ mode, accounts, isDrawn = true, ...rules }: RuleChangesProps) {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const weekdays = useWeekdays();
  const [before, after] = [whole(rules.before), whole(rules.after)];
  const nameOf = (id: string) => accounts.get(id)?.name ?? id;
  const namesOf = (ids: readonly string[]) => ids.map(nameOf).join(' › ') || text.nobody;
  const hoursOf = ({ when }: typeof before) =>
    when.map((window) => `${weekdays.textOf(window)} → ${nameOf(window.credentialId)}`).join('; ');
  const splitOf = ({ split }: typeof before) =>
    split.map(({ percent, credentialId }) => `${percent} % ${nameOf(credentialId)}`).join('; ');
  const preferenceOf = ({ prefer }: typeof before) => (prefer ? text[prefer] : '');
  const stretches = compareStretches(mode, before, after, accounts);
  const lines = [
    ...stretches.map(({ from, to, credentialIds, before: order }) => ({
      what: amountsOf(from, to),
      was: namesOf(order.credentialIds),
      becomes: namesOf(credentialIds),
    })),
    { what: text.when, was: hoursOf(before), becomes: hoursOf(after) },
    { what: text.split, was: splitOf(before), becomes: splitOf(after) },
    { what: text.prefer, was: preferenceOf(before), becomes: preferenceOf(after) },
  ].filter(({ was, becomes }) => was !== becomes);
  if (lines.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={text.title}>
      <Text size="sm" fw={600}>
        {text.title}
      </Text>
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {lines.map(({ what, was, becomes }) => (
          <List.Item key={what}>{text.change(what, was || text.nothing, becomes || text.nothing)}</List.Item>
        ))}
      </List>
      {isDrawn && <AmountRuler stretches={stretches} accounts={accounts} />}
    </Stack>
  );
}
