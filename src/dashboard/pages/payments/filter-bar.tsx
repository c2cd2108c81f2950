import { useState } from 'react';
import { Select, SimpleGrid } from '@mantine/core';
import { Search } from 'lucide-react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { paymentConcerns } from '../../../core/payments/rules/payment.ts';
import { concernTexts } from '../../parts/concern-texts.ts';
import { statuses, statusTexts } from '../../parts/payment-status.tsx';
import { reaisFromCents } from '../../../core/base/money.ts';
import { readQuestion } from '../../../core/payments/rules/search/question.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { DateRangeInput } from '../../ui/date-range/date-range-input.tsx';
import classes from './payments-page.module.css';
import { MoreFilters } from './more-filters.tsx';
import { dueStates, type FilterProps } from './use-filters.ts';
import { useTyped } from '../../ui/inputs/use-typed.ts';

const messages = texts(
  {
    search: 'Buscar por ID, referência, pagador, código, valor, dia ou hora',
    searched: 'maria 19,90 ontem 15h, ou ID, código, referência',
    between: (from: string, to: string) => `de ${from} a ${to}`,
    searchByViewer: 'Buscar por ID, referência, código ou valor',
    searchedByViewer: 'ID, referência, código ou valor',
    status: 'Status',
    any: 'Todos os status',
    concerns: 'Precisa de atenção',
    dueDate: 'Vencimento',
    upcoming: 'A vencer',
    overdue: 'Vencido',
    refunded: 'Com estorno, total ou parcial',
  },
  {
    search: 'Search by ID, reference, payer, code, amount, day or hour',
    searched: 'maria 19,90 yesterday 15h, or ID, code, reference',
    between: (from: string, to: string) => `${from} to ${to}`,
    searchByViewer: 'Search by ID, reference, code or amount',
    searchedByViewer: 'ID, reference, code or amount',
    status: 'Status',
    any: 'All statuses',
    concerns: 'Needs attention',
    dueDate: 'Due date',
    upcoming: 'Due',
    overdue: 'Overdue',
    refunded: 'With a refund, full or partial',
  },
);

/** What a text of several words is taken for; undefined if it means itself. */
function useUnderstood(search: string): string | undefined {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  const [now] = useState(() => new Date());
  const { search: words, amountInCents, time } = readQuestion(search, now);
  if (!time && (amountInCents === undefined || words === search)) return undefined;
  const parts = [
    amountInCents === undefined ? words : words?.replace(/^[\d.,]+$/, ''),
    amountInCents !== undefined && money(reaisFromCents(amountInCents)),
    time && text.between(dateTime(time.from.toISOString()), dateTime(time.to.toISOString())),
  ];
  return parts.filter(Boolean).join(' · ');
}

function SearchInput({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const { typed, type } = useTyped(filters.search, (search) => {
    change({ search });
  });
  const seesPayers = may('payers:read');
  const understood = useUnderstood(filters.search);
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={seesPayers ? text.search : text.searchByViewer}
      placeholder={seesPayers ? text.searched : text.searchedByViewer}
      leftSection={<Search size={16} aria-hidden />}
      description={understood}
      inputWrapperOrder={['input', 'description']}
      value={typed}
      maxLength={600}
      aria-keyshortcuts="/"
      onChange={({ currentTarget: { value } }) => {
        type(value);
      }}
    />
  );
}

/** A choice beside those of the status: what was refunded in part is still paid. */
const withRefund = 'with-refund';

/** Status, due date and concern share a filter: what is due is pending, and what needs attention is mostly paid. */
function StatusFilter({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const statusText = useTexts(statusTexts);
  const concernText = useTexts(concernTexts);
  return (
    <Select
      className={classes.status}
      aria-label={text.status}
      placeholder={text.any}
      clearable
      maxDropdownHeight={400}
      value={filters.concern ?? filters.due ?? (filters.refunded && withRefund) ?? filters.status}
      data={[
        {
          group: text.status,
          items: [
            ...statuses.map((value) => ({ value, label: statusText[value] })),
            { value: withRefund, label: text.refunded },
          ],
        },
        { group: text.dueDate, items: dueStates.map((value) => ({ value, label: text[value] })) },
        {
          group: text.concerns,
          items: paymentConcerns.map((value) => ({ value, label: concernText[value] })),
        },
      ]}
      onChange={(chosen) => {
        change({
          status: statuses.find((status) => status === chosen) ?? null,
          refunded: chosen === withRefund ? 'true' : null,
          due: dueStates.find((due) => due === chosen) ?? null,
          concern: paymentConcerns.find((concern) => concern === chosen) ?? null,
        });
      }}
    />
  );
}

export function FilterBar({ filters, change }: FilterProps) {
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm" style={{ alignItems: 'start' }}>
      <SearchInput filters={filters} change={change} />
      <StatusFilter filters={filters} change={change} />
      <DateRangeInput value={filters} onChange={change} isClearable />
      <MoreFilters filters={filters} change={change} />
    </SimpleGrid>
  );
}
