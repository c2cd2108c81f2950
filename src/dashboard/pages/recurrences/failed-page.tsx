import { Select, SimpleGrid } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages } from '../../base/use-service.ts';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { NoneLeft } from '../../parts/empty-lists.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { DebitTable } from './debit-table.tsx';
import { failedDebitsDocument } from './documents.ts';
import { Tabs } from './tabs.tsx';

const messages = texts(
  {
    title: 'Débitos que falharam',
    about: 'O que falhou de vez ou espera outra tentativa, com o que fazer.',
    caption: 'Débitos que falharam, do mais novo ao mais antigo',
    none: 'Nenhum débito falhou',
    fault: 'Causa',
    any: 'Todas as causas',
    ours: 'Enviado fora do prazo ou das regras',
    filtered: 'Nenhum débito falhou por esta causa',
  },
  {
    title: 'Failed debits',
    about: 'What failed for good or awaits another attempt, and what to do about it.',
    caption: 'Failed debits, newest first',
    none: 'No debit has failed',
    fault: 'Cause',
    any: 'All causes',
    ours: 'Sent too late or against the rules',
    filtered: 'No debit has failed for this cause',
  },
);

const throttleMs = 5_000;

export default function FailedPage() {
  const text = useTexts(messages);
  const [parameters, setParameters] = useSearchParams();
  const ourFault = parameters.get('fault') === 'ours';
  const choose = (fault: string | null) => {
    setParameters(fault === null ? {} : { fault }, { replace: true });
  };
  const pages = useServicePages(failedDebitsDocument, { ourFault }, ({ failedDebits }) => failedDebits, {
    keepPrevious: true,
  });
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: [failedDebitsDocument], throttleMs });
  const empty = ourFault ? (
    <NoneLeft
      title={text.filtered}
      clear={() => {
        choose(null);
      }}
    />
  ) : (
    <EmptyState title={text.none} />
  );
  return (
    <Page title={text.title} about={text.about}>
      <Tabs at="failed" />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <Select
          aria-label={text.fault}
          placeholder={text.any}
          clearable
          value={ourFault ? 'ours' : null}
          data={[{ value: 'ours', label: text.ours }]}
          onChange={choose}
        />
      </SimpleGrid>
      <QueryResult result={pages}>
        {(debits) => <DebitTable caption={text.caption} debits={debits} empty={empty} pages={pages} />}
      </QueryResult>
    </Page>
  );
}
