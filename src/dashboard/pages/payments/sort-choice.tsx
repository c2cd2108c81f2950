import { Select } from '@mantine/core';
import { ArrowDownWideNarrow } from 'lucide-react';
import { paymentSorts, sortOrders } from '../../../core/payments/rules/payment.ts';
import { texts, useTexts } from '../../base/language.tsx';
import type { Sorting } from './use-filters.ts';

const words = texts(
  {
    sort: 'Ordenar',
    created: { desc: 'Mais recentes primeiro', asc: 'Mais antigos primeiro' },
    amount: { desc: 'Maiores valores primeiro', asc: 'Menores valores primeiro' },
    paid: { desc: 'Pagamento mais recente primeiro', asc: 'Pagamento mais antigo primeiro' },
    due: { desc: 'Vencimento mais distante', asc: 'Vencimento mais antigo' },
  },
  {
    sort: 'Sort',
    created: { desc: 'Newest first', asc: 'Oldest first' },
    amount: { desc: 'Highest amount first', asc: 'Lowest amount first' },
    paid: { desc: 'Last paid first', asc: 'First paid first' },
    due: { desc: 'Last due first', asc: 'First due first' },
  },
);

export function useSortingText(): (sorting: Sorting) => string {
  const text = useTexts(words);
  return ({ sort, order }) => text[sort][order];
}

const choices = paymentSorts.flatMap((sort) => sortOrders.map((order): Sorting => ({ sort, order })));

const keyOf = ({ sort, order }: Sorting): string => `${sort} ${order}`;

export function SortChoice({ sorting, sortBy }: { sorting: Sorting; sortBy: (sorting: Sorting) => void }) {
  const text = useTexts(words);
  const nameOf = useSortingText();
  return (
    <Select
      aria-label={text.sort}
      size="xs"
      w={220}
      allowDeselect={false}
      maxDropdownHeight={300}
      leftSection={<ArrowDownWideNarrow size={14} aria-hidden />}
      value={keyOf(sorting)}
      data={choices.map((choice) => ({ value: keyOf(choice), label: nameOf(choice) }))}
      onChange={(chosen) => {
        const choice = choices.find((each) => keyOf(each) === chosen);
        if (choice) sortBy(choice);
      }}
    />
  );
}
