import { Button, Divider, Group, List, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ResultOf } from '../../api/graphql.ts';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { routingReasons, skipReasons } from '../../parts/routing-texts.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { AccountName } from './base/account-name.tsx';
import type { Accounts } from './base/accounts.ts';
import { explainRuleSetDocument, type RuleSet } from './base/documents.ts';

const messages = texts(
  {
    title: 'Simulação por valor',
    amount: 'Valor',
    show: 'Simular roteamento',
    order: (amount: string) => `Ordem de tentativas para ${amount}:`,
    skipped: 'Ignorada:',
    nobody: (amount: string) =>
      `Nenhuma credencial atende a ${amount}: em produção, a cobrança seria recusada.`,
  },
  {
    title: 'Preview by amount',
    amount: 'Amount',
    show: 'Preview routing',
    order: (amount: string) => `Order of attempts for ${amount}:`,
    skipped: 'Skipped:',
    nobody: (amount: string) => `No credential covers ${amount}: a live payment would be refused.`,
  },
);

type Step = ResultOf<typeof explainRuleSetDocument>['explainRuleSet'][number];

function Steps({ steps, accounts }: { steps: readonly Step[]; accounts: Accounts }) {
  const text = useTexts(messages);
  const reasons = useTexts(routingReasons);
  const skips = useTexts(skipReasons);
  return (
    <List type="ordered" size="sm" spacing="xs">
      {steps.map(({ credentialId, provider, reason, skipped, percent }) => (
        <List.Item key={`${credentialId} ${skipped}`} opacity={skipped ? 0.8 : 1}>
          <AccountName id={credentialId ?? provider} accounts={accounts} />
          <Text size="sm" c="dimmed">
            {reasons[reason] ?? reason}
            {percent !== null && ` (${percent} %)`}
          </Text>
          {skipped && (
            <Text size="sm">
              {text.skipped} {skips[skipped] ?? skipped}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}

function PreviewResult({ id, amount, accounts }: { id: string; amount: number; accounts: Accounts }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const result = useServiceQuery(explainRuleSetDocument, { id, amount });
  return (
    <QueryResult result={result}>
      {({ explainRuleSet: steps }) => (
        <Stack gap="xs" component="output" display="flex">
          <Text size="sm" fw={600}>
            {steps.every(({ skipped }) => skipped) ? text.nobody(money(amount)) : text.order(money(amount))}
          </Text>
          <Steps steps={steps} accounts={accounts} />
        </Stack>
      )}
    </QueryResult>
  );
}

/** Decides as the service itself routes an amount. */
export function RoutingPreview({ ruleSet, accounts }: { ruleSet: RuleSet; accounts: Accounts }) {
  const text = useTexts(messages);
  const [typed, setTyped] = useState<number | string>('');
  const [amount, setAmount] = useState<number>();
  const show = (event: FormEvent) => {
    event.preventDefault();
    if (typeof typed === 'number') setAmount(typed);
  };
  return (
    <>
      <Divider label={text.title} labelPosition="left" />
      <form onSubmit={show}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <MoneyInput
            aria-label={`${text.amount}: ${ruleSet.name}`}
            placeholder={text.amount}
            maw={180}
            required
            value={typed}
            onChange={setTyped}
          />
          <Button type="submit" variant="default" style={{ flexShrink: 0 }}>
            {text.show}
          </Button>
        </Group>
      </form>
      {amount !== undefined && <PreviewResult id={ruleSet.id} amount={amount} accounts={accounts} />}
    </>
  );
}
