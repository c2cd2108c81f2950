import { Alert, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { reaisFromCents } from '../../../domain/money.ts';
import type { RuleSetFinding } from '../../../domain/providers/rule-set-lint.ts';
import { texts, useTexts } from '../../shell/language.tsx';
import type { Accounts } from './accounts.ts';
import { useAmounts } from './amounts.ts';

interface Told {
  amounts: string;
  name: string;
  later: string;
  count: number;
}

type Words = Record<RuleSetFinding['kind'], (told: Told) => string>;

const said = texts<{ title: string; kinds: Words }>(
  {
    title: 'Vale conferir',
    kinds: {
      gap: ({ amounts }) => `Lacuna: ${amounts}. Nenhuma credencial ativa recebe.`,
      overlap: ({ amounts, name, later }) =>
        `Sobreposição: ${amounts}. Está nas faixas de ${name} e de ${later}; a primeira é tentada antes.`,
      empty_range: ({ name }) => `A faixa de ${name} não contém valor algum.`,
      repeated_range: ({ amounts, name }) =>
        `A faixa de ${name} (${amounts}) não muda nada: faixas anteriores da mesma credencial já a contêm.`,
      hidden_range: ({ amounts, name }) =>
        `A faixa de ${name} (${amounts}) nunca é a primeira escolha: faixas anteriores a contêm inteira.`,
      repeated_fallback: ({ name }) => `A reserva ${name} não muda nada: já é tentada antes.`,
      unknown_credential: ({ name }) => `A credencial ${name} não existe.`,
      disabled: ({ name }) => `${name} está desativada e é pulada.`,
      sandbox_only: ({ name }) => `${name} é do sandbox, que só aceita cobranças de teste, e é pulada.`,
      more: ({ count }) => `E mais ${count}.`,
    },
  },
  {
    title: 'Worth a look',
    kinds: {
      gap: ({ amounts }) => `Gap: ${amounts}. No enabled credential takes it.`,
      overlap: ({ amounts, name, later }) =>
        `Overlap: ${amounts}. It is in the ranges of ${name} and ${later}; the first is tried first.`,
      empty_range: ({ name }) => `The range of ${name} holds no amount.`,
      repeated_range: ({ amounts, name }) =>
        `The range of ${name} (${amounts}) changes nothing: earlier ranges of the same credential hold it.`,
      hidden_range: ({ amounts, name }) =>
        `The range of ${name} (${amounts}) is never the first choice: earlier ranges hold all of it.`,
      repeated_fallback: ({ name }) => `The fallback ${name} changes nothing: it is tried before already.`,
      unknown_credential: ({ name }) => `The credential ${name} does not exist.`,
      disabled: ({ name }) => `${name} is disabled and skipped.`,
      sandbox_only: ({ name }) => `${name} is of the sandbox, which takes test payments only, and skipped.`,
      more: ({ count }) => `And ${count} more.`,
    },
  },
);

function useWords(accounts: Accounts): (finding: RuleSetFinding) => string {
  const { kinds } = useTexts(said);
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

/** What is wrong with rules, the worst in red: amounts that nobody takes. */
export function Findings({ findings, accounts }: { findings: RuleSetFinding[]; accounts: Accounts }) {
  const text = useTexts(said);
  const wordsOf = useWords(accounts);
  if (findings.length === 0) return null;
  const hasGap = findings.some(({ kind }) => kind === 'gap');
  return (
    <Alert color={hasGap ? 'red' : 'yellow'} icon={<TriangleAlert />} title={text.title}>
      <List size="sm" spacing={4}>
        {findings.map(wordsOf).map((words) => (
          <List.Item key={words}>{words}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
