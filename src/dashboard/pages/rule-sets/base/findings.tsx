import { Alert, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { reaisFromCents } from '../../../../core/base/money.ts';
import type { RuleSetFinding } from '../../../../core/routing/rules/rule-set-lint.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import type { Accounts } from './accounts.ts';
import { useAmounts } from './amounts.ts';

interface FindingValues {
  amounts: string;
  name: string;
  later: string;
  count: number;
}

type FindingTexts = Record<RuleSetFinding['kind'], (values: FindingValues) => string>;

const messages = texts<{ title: { saved: string; draft: string }; kinds: FindingTexts }>(
  {
    title: { saved: 'Precisa de atenção', draft: 'Confira antes de salvar' },
    kinds: {
      gap: ({ amounts }) => `Lacuna: ${amounts}. Nenhuma credencial ativa atende a esta faixa.`,
      overlap: ({ amounts, name, later }) =>
        `Sobreposição: ${amounts} está nas faixas de ${name} e de ${later}. ${name} é tentada primeiro.`,
      empty_range: ({ name }) => `A faixa de ${name} está vazia.`,
      repeated_range: ({ amounts, name }) =>
        `A faixa de ${name} (${amounts}) não tem efeito: já está coberta por faixas anteriores da mesma credencial.`,
      hidden_range: ({ amounts, name }) =>
        `A faixa de ${name} (${amounts}) nunca é a primeira opção: já está coberta por faixas anteriores.`,
      hidden_split: () => 'A divisão não tem efeito: as faixas já cobrem todos os valores.',
      hidden_preference: () =>
        'Preferir a mais barata não tem efeito: nenhuma faixa se sobrepõe e não há duas contingências.',
      no_fees: ({ name }) =>
        `${name} não tem tarifas informadas: faixas e contingências com ela seguem a ordem da lista.`,
      repeated_fallback: ({ name }) => `A contingência ${name} não tem efeito: já é tentada antes.`,
      unknown_credential: ({ name }) => `A credencial ${name} não existe.`,
      disabled: ({ name }) => `${name} está desativada e será ignorada.`,
      sandbox_only: ({ name }) => `${name} é do sandbox, que só aceita cobranças de teste, e será ignorada.`,
      outside_limits: ({ amounts, name }) =>
        `${name} será ignorada para ${amounts}: o provedor não aceita esses valores.`,
      more: ({ count }) => `E mais ${count}.`,
    },
  },
  {
    title: { saved: 'Needs attention', draft: 'Check before saving' },
    kinds: {
      gap: ({ amounts }) => `Gap: ${amounts}. No active credential covers it.`,
      overlap: ({ amounts, name, later }) =>
        `Overlap: ${amounts} is in the ranges of both ${name} and ${later}. ${name} is tried first.`,
      empty_range: ({ name }) => `The range of ${name} is empty.`,
      repeated_range: ({ amounts, name }) =>
        `The range of ${name} (${amounts}) has no effect: earlier ranges of the same credential cover it.`,
      hidden_range: ({ amounts, name }) =>
        `The range of ${name} (${amounts}) is never the first choice: earlier ranges cover it.`,
      hidden_split: () => 'The split has no effect: ranges cover all amounts.',
      hidden_preference: () =>
        'Preferring the cheapest has no effect: no ranges overlap, and there are no two fallbacks.',
      no_fees: ({ name }) => `${name} has no fees: ranges and fallbacks with it keep the order of the list.`,
      repeated_fallback: ({ name }) => `The fallback ${name} has no effect: it is already tried earlier.`,
      unknown_credential: ({ name }) => `The credential ${name} does not exist.`,
      disabled: ({ name }) => `${name} is disabled and will be skipped.`,
      sandbox_only: ({ name }) =>
        `${name} is a sandbox credential, which only accepts test payments, and will be skipped.`,
      outside_limits: ({ amounts, name }) =>
        `${name} will be skipped for ${amounts}: its provider does not accept these amounts.`,
      more: ({ count }) => `And ${count} more.`,
    },
  },
);

function useFindingText(accounts: Accounts): (finding: RuleSetFinding) => string {
  const { kinds } = useTexts(messages);
  const amountsOf = useAmounts();
  const nameOf = (id: string | undefined) => (id && accounts.get(id)?.name) ?? id ?? '';
  return (finding) =>
    kinds[finding.kind]({
      amounts: 'from' in finding ? amountsOf(reaisFromCents(finding.from), reaisFromCents(finding.to)) : '',
      name: nameOf('credentialId' in finding ? finding.credentialId : undefined),
      later: nameOf('laterCredentialId' in finding ? finding.laterCredentialId : undefined),
      count: 'count' in finding ? finding.count : 0,
    });
}

interface FindingsProps {
  findings: RuleSetFinding[];
  accounts: Accounts;
  of: 'saved' | 'draft';
}

/** Shows problems of a routing rule, in red when some amounts have no credential. */
export function Findings({ findings, accounts, of }: FindingsProps) {
  const text = useTexts(messages);
  const textOf = useFindingText(accounts);
  if (findings.length === 0) return null;
  const hasGap = findings.some(({ kind }) => kind === 'gap');
  return (
    <Alert color={hasGap ? 'red' : 'yellow'} icon={<TriangleAlert />} title={text.title[of]}>
      <List size="sm" spacing={4}>
        {findings.map(textOf).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
