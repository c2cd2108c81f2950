import { texts, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages } from '../../base/use-service.ts';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
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
  },
  {
    title: 'Failed debits',
    about: 'What failed for good or awaits another attempt, and what to do about it.',
    caption: 'Failed debits, newest first',
    none: 'No debit has failed',
  },
);

const throttleMs = 5_000;

export default function FailedPage() {
  const text = useTexts(messages);
  const pages = useServicePages(failedDebitsDocument, {}, ({ failedDebits }) => failedDebits);
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: [failedDebitsDocument], throttleMs });
  return (
    <Page title={text.title} about={text.about}>
      <Tabs at="failed" />
      <QueryResult result={pages}>
        {(debits) => (
          <DebitTable
            caption={text.caption}
            debits={debits}
            empty={<EmptyState title={text.none} />}
            more={pages.more}
          />
        )}
      </QueryResult>
    </Page>
  );
}
