import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { AccountName } from './base/account-name.tsx';
import { type Accounts, defaultOf, findingsOf, stretchesOf } from './base/accounts.ts';
import { useAmounts } from './base/amounts.ts';
import { fieldOf } from './base/field-of.ts';
import { HoursPicture } from './base/hours-picture.tsx';
import { SplitPicture } from './base/split-picture.tsx';
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
    rest: (percent: number) => `Padrão (fora das faixas): ${percent} %`,
    fallbacks: 'Contingência',
    ofOrganization: '(padrão da organização)',
    cheapest: 'Faixas que contêm o mesmo valor e contingências: a mais barata primeiro.',
    edit: 'Editar',
    nobody: 'Nenhuma: a organização não tem credencial padrão',
  },
  {
    id: 'ruleSetId',
    isDefault: { test: 'Default in test mode', live: 'Default in live mode' },
    share: (percent) => `Share: ${percent}%`,
    next: 'Default (no range matches)',
    rest: (percent) => `Default (no range matches): ${percent}%`,
    fallbacks: 'Fallbacks',
    ofOrganization: '(organization default)',
    cheapest: 'Ranges that contain the same amount, and fallbacks: the cheapest first.',
    edit: 'Edit',
    nobody: 'None: the organization has no default credential',
  },
);

type Edit = (field: string) => void;

interface RuleProps {
  when: string;
  /** Its path in the input. */
  field: string;
  onEdit: Edit | undefined;
  children: ReactNode;
}

function Rule({ when, field, onEdit, children }: RuleProps) {
  const text = useTexts(messages);
  return (
    <>
      <dt>
        {onEdit ? (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            aria-label={`${text.edit}: ${when}`}
            onClick={() => {
              onEdit(field);
            }}
          >
            {when}
          </Anchor>
        ) : (
          when
        )}
      </dt>
      <ArrowRight size={16} aria-hidden opacity={0.6} />
      <dd>{children}</dd>
    </>
  );
}

interface RulesProps {
  ruleSet: RuleSet;
  accounts: Accounts;
  onEdit: Edit | undefined;
}

function Rules({ ruleSet, accounts, onEdit }: RulesProps) {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const weekdays = useWeekdays();
  const { when, ranges, split, defaultCredentialId, fallbackCredentialIds } = ruleSet;
  const defaultId = defaultCredentialId ?? defaultOf(accounts)?.id;
  const rest = split.reduce((left, { percent }) => left - percent, 100);
  return (
    <dl className={classes['rules']}>
      {when.map((window, place) => (
        <Rule
          key={JSON.stringify(window)}
          when={weekdays.textOf(window)}
          field={`when.${place}`}
          onEdit={onEdit}
        >
          <AccountName id={window.credentialId} accounts={accounts} />
        </Rule>
      ))}
      {ranges.map(({ from, to, credentialId }, place) => (
        <Rule
          key={`${from}-${to}-${credentialId}`}
          when={amountsOf(from, to)}
          field={`ranges.${place}`}
          onEdit={onEdit}
        >
          <AccountName id={credentialId} accounts={accounts} />
        </Rule>
      ))}
      {split.map(({ credentialId, percent }, place) => (
        <Rule key={credentialId} when={text.share(percent)} field={`split.${place}`} onEdit={onEdit}>
          <AccountName id={credentialId} accounts={accounts} />
        </Rule>
      ))}
      <Rule when={split.length > 0 ? text.rest(rest) : text.next} field="defaultCredentialId" onEdit={onEdit}>
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
        <Rule when={text.fallbacks} field="fallbackCredentialIds" onEdit={onEdit}>
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
  const [field, setField] = useState<string>();
  const onEdit = may('rule-sets:manage') ? setField : undefined;
  const { when, split, defaultCredentialId } = ruleSet;
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
            {onEdit && (
              <ChangeRuleSet ruleSet={ruleSet} accounts={accounts} field={field} onField={setField} />
            )}
            {may('rule-sets:manage') && <DeleteRuleSet ruleSet={ruleSet} />}
          </Group>
        </Group>
        <Findings of="saved" findings={findingsOf(mode, ruleSet, accounts)} accounts={accounts} />
        <Rules ruleSet={ruleSet} accounts={accounts} onEdit={onEdit} />
        {ruleSet.prefer && <Text size="sm">{text[ruleSet.prefer]}</Text>}
        <HoursPicture windows={when} accounts={accounts} onEdit={onEdit} />
        <AmountRuler
          stretches={stretchesOf(mode, ruleSet, accounts)}
          accounts={accounts}
          onEdit={
            onEdit &&
            ((stretch, id) => {
              onEdit(fieldOf(ruleSet, stretch, id));
            })
          }
        />
        <SplitPicture
          split={split}
          defaultCredentialId={defaultCredentialId}
          accounts={accounts}
          onEdit={onEdit}
        />
        <RoutingPreview ruleSet={ruleSet} accounts={accounts} />
      </Stack>
    </Paper>
  );
}
