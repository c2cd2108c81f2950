import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { AccountName } from './base/account-name.tsx';
import { type Accounts, defaultOf, findingsOf, stretchesOf } from './base/accounts.ts';
import { useAmounts } from './base/amounts.ts';
import { useWeekdays } from './base/weekdays.ts';
import { ChangeRuleSet } from './change-rule-set.tsx';
import { DefaultRuleSet } from './default-rule-set.tsx';
import { DeleteRuleSet } from './delete-rule-set.tsx';
import type { RuleSet } from './base/documents.ts';
import { Findings } from './base/findings.tsx';
import classes from './rule-set-card.module.css';
import { AmountRuler } from './base/amount-ruler.tsx';
import { RoutingPreview } from './routing-preview.tsx';

const messages = texts(
  {
    id: 'ruleSetId',
    isDefault: { test: 'Padrão em teste', live: 'Padrão em produção' },
    share: (percent: number) => `Divisão: ${percent} %`,
    next: 'Padrão (fora das faixas)',
    fallbacks: 'Contingência',
    ofOrganization: '(padrão da organização)',
    nobody: 'Nenhuma: a organização não tem credencial padrão',
  },
  {
    id: 'ruleSetId',
    isDefault: { test: 'Default in test mode', live: 'Default in live mode' },
    share: (percent: number) => `Share: ${percent}%`,
    next: 'Default (no range matches)',
    fallbacks: 'Fallbacks',
    ofOrganization: '(organization default)',
    nobody: 'None: the organization has no default credential',
  },
);

function Rule({ when, children }: { when: string; children: ReactNode }) {
  return (
    <>
      <dt>{when}</dt>
      <ArrowRight size={16} aria-hidden opacity={0.6} />
      <dd>{children}</dd>
    </>
  );
}

function Rules({ ruleSet, accounts }: { ruleSet: RuleSet; accounts: Accounts }) {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const weekdays = useWeekdays();
  const { when, ranges, split, defaultCredentialId, fallbackCredentialIds } = ruleSet;
  const defaultId = defaultCredentialId ?? defaultOf(accounts)?.id;
  return (
    <dl className={classes['rules']}>
      {when.map((window) => (
        <Rule key={JSON.stringify(window)} when={weekdays.textOf(window)}>
          <AccountName id={window.credentialId} accounts={accounts} />
        </Rule>
      ))}
      {ranges.map(({ from, to, credentialId }) => (
        <Rule key={`${from}-${to}-${credentialId}`} when={amountsOf(from, to)}>
          <AccountName id={credentialId} accounts={accounts} />
        </Rule>
      ))}
      {split.map(({ credentialId, percent }) => (
        <Rule key={credentialId} when={text.share(percent)}>
          <AccountName id={credentialId} accounts={accounts} />
        </Rule>
      ))}
      <Rule when={text.next}>
        {defaultId ? (
          <AccountName id={defaultId} accounts={accounts} />
        ) : (
          <Text size="sm">{text.nobody}</Text>
        )}
        {!defaultCredentialId && defaultId && (
          <Text span size="sm" c="dimmed">
            {' '}
            {text.ofOrganization}
          </Text>
        )}
      </Rule>
      {fallbackCredentialIds.length > 0 && (
        <Rule when={text.fallbacks}>
          <Stack gap={4}>
            {fallbackCredentialIds.map((id) => (
              <AccountName key={id} id={id} accounts={accounts} />
            ))}
          </Stack>
        </Rule>
      )}
    </dl>
  );
}

export function RuleSetCard({ ruleSet, accounts }: { ruleSet: RuleSet; accounts: Accounts }) {
  const text = useTexts(messages);
  const { mode, may } = useWorkplace();
  return (
    <Paper withBorder p="md" component="article" aria-label={ruleSet.name}>
      <Stack>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Title order={2} size="h4">
              {ruleSet.name}
            </Title>
            {ruleSet.isDefault && (
              <Badge variant="light" tt="none">
                {text.isDefault[mode]}
              </Badge>
            )}
          </Group>
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {text.id}
            </Text>
            <Copyable value={ruleSet.id} label={`${text.id}: ${ruleSet.name}`} />
            {may('rule-sets:manage') && <DefaultRuleSet ruleSet={ruleSet} />}
            {may('rule-sets:manage') && <ChangeRuleSet ruleSet={ruleSet} accounts={accounts} />}
            {may('rule-sets:manage') && <DeleteRuleSet ruleSet={ruleSet} />}
          </Group>
        </Group>
        <Findings of="saved" findings={findingsOf(mode, ruleSet, accounts)} accounts={accounts} />
        <Rules ruleSet={ruleSet} accounts={accounts} />
        <AmountRuler stretches={stretchesOf(mode, ruleSet, accounts)} accounts={accounts} />
        <RoutingPreview ruleSet={ruleSet} accounts={accounts} />
      </Stack>
    </Paper>
  );
}
