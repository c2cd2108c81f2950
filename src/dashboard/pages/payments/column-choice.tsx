import { ActionIcon, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Columns3 } from 'lucide-react';
import { texts, useTexts } from '../../base/language.tsx';

export const columnNames = [
  'amount',
  'status',
  'refunded',
  'due',
  'reference',
  'payer',
  'provider',
  'paid',
  'description',
  'pix',
] as const;

export type ColumnName = (typeof columnNames)[number];

export const columnTexts = texts(
  {
    created: 'Criado em',
    amount: 'Valor',
    paidOf: (amount: string) => `de ${amount}`,
    status: 'Status',
    refunded: 'Estornado',
    due: 'Vencimento',
    late: (days: number) => (days === 1 ? '1 dia de atraso' : `${days} dias de atraso`),
    reference: 'Referência',
    payer: 'Pagador',
    provider: 'Provedor',
    paid: 'Pago em',
    description: 'Descrição',
    pix: 'ID do Pix (EndToEndId)',
    columns: 'Colunas',
  },
  {
    created: 'Created',
    amount: 'Amount',
    paidOf: (amount: string) => `of ${amount}`,
    status: 'Status',
    refunded: 'Refunded',
    due: 'Due date',
    late: (days: number) => (days === 1 ? '1 day late' : `${days} days late`),
    reference: 'Reference',
    payer: 'Payer',
    provider: 'Provider',
    paid: 'Paid at',
    description: 'Description',
    pix: 'End-to-end ID',
    columns: 'Columns',
  },
);

const usual: ColumnName[] = ['amount', 'status', 'reference', 'payer', 'provider'];

/** This browser keeps the choice. */
export function useColumnNames() {
  return useLocalStorage<ColumnName[]>({
    key: 'pix-payment-columns',
    defaultValue: usual,
    getInitialValueInEffect: false,
  });
}

export function ColumnChoice() {
  const text = useTexts(columnTexts);
  const [names, setNames] = useColumnNames();
  return (
    <Popover trapFocus returnFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <ActionIcon variant="default" size="md" aria-label={text.columns} visibleFrom="sm">
          <Columns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          label={text.columns}
          value={names}
          onChange={(chosen) => {
            setNames(columnNames.filter((name) => chosen.includes(name)));
          }}
        >
          <Stack gap="xs" mt="xs">
            {columnNames.map((name) => (
              <Checkbox key={name} value={name} label={text[name]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
