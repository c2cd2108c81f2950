import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { texts, useLanguage, useTexts, useTimeZone } from '../../shell/language.tsx';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { FilterBar } from './filter-bar.tsx';
import { Payments } from './payment-lists.tsx';
import { type Filters, noFilters, paymentFilterOf, type Sorting, useFilters } from './use-filters.ts';
import { SavedViews } from './views/saved-views.tsx';

const messages = texts(
  {
    title: 'Pagamentos',
    export: 'Exportar CSV',
  },
  {
    title: 'Payments',
    export: 'Export CSV',
  },
);

function ExportButton({ filters, sorting }: { filters: Filters; sorting: Sorting }) {
  const text = useTexts(messages);
  const { organizationId, mode } = useWorkplace();
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const parameters = new URLSearchParams({
    organization: organizationId,
    mode,
    locale: language,
    ...sorting,
    ...Object.fromEntries(
      Object.entries(paymentFilterOf(filters, timeZone)).map(([name, value]) => [name, String(value)]),
    ),
  });
  return (
    <Button
      component="a"
      href={`/dashboard/payments.csv?${parameters}`}
      download
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
    >
      {text.export}
    </Button>
  );
}

export default function PaymentsPage() {
  const text = useTexts(messages);
  const { filters, change, sorting, sortBy } = useFilters();
  const clear = () => {
    change(noFilters);
  };
  return (
    <Page
      title={text.title}
      actions={
        <>
          <SavedViews />
          <ExportButton filters={filters} sorting={sorting} />
        </>
      }
    >
      <FilterBar filters={filters} change={change} />
      <Payments filters={filters} clear={clear} sorting={sorting} sortBy={sortBy} />
    </Page>
  );
}
