import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useWorkplace } from '../../base/use-workplace.ts';
import { Page } from '../../ui/page.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { texts, useTexts, useTimeZone } from '../../base/language.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NewPaymentButton } from './new-payment/new-payment-button.tsx';
import { Payments } from './payment-lists.tsx';
import { noFilters, paymentFilterOf, useFilters } from './use-filters.ts';
import { SavedViews } from './views/saved-views.tsx';

const messages = texts(
  {
    title: 'Pagamentos',
    batch: 'Criar em lote',
  },
  {
    title: 'Payments',
    batch: 'Create a batch',
  },
);

export default function PaymentsPage() {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const { filters, change, sorting, sortBy } = useFilters();
  const exported = Object.fromEntries(
    Object.entries(paymentFilterOf(filters, useTimeZone())).map(([name, value]) => [name, String(value)]),
  );
  const clear = () => {
    change(noFilters);
  };
  return (
    <Page
      title={text.title}
      actions={
        <>
          {may('payment-batches:create') && (
            <>
              <NewPaymentButton />
              <Button component={Link} href="/payments/batches/new" variant="default">
                {text.batch}
              </Button>
            </>
          )}
          <SavedViews />
          <ExportButton file="payments" parameters={{ ...sorting, ...exported }} />
        </>
      }
    >
      <FilterBar filters={filters} change={change} />
      <Payments filters={filters} clear={clear} sorting={sorting} sortBy={sortBy} />
    </Page>
  );
}
