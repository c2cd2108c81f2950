import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { calendarDayOf } from '../../../../core/base/time/calendar-day.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { type Column as TableColumn, DataTable } from '../../../ui/data-table.tsx';
import { problemTexts, wordingOf } from '../../../ui/problems/problem-texts.ts';
import type { RowProblem } from './check-row.ts';
import { type Column, columns, columnTexts } from './columns.ts';
import type { RowPayment } from './payment-of-row.ts';
import type { Row } from './read-file.ts';

const messages = texts(
  {
    caption: 'Linhas do arquivo',
    row: 'Linha',
    onlyWrong: 'Mostrar só as linhas com erro',
  },
  {
    caption: 'Rows of the file',
    row: 'Row',
    onlyWrong: 'Show only rows with an error',
  },
);

const none = '—';

export interface CheckedRow extends Row {
  payment: RowPayment;
  problems: readonly RowProblem[];
}

const isWrong = ({ problems }: CheckedRow): boolean => problems.length > 0;

function Problems({ problems }: Pick<CheckedRow, 'problems'>) {
  const names = useTexts(columnTexts);
  const wordings = useTexts(problemTexts);
  return problems.map(({ column, problem }) => (
    <Text key={problem.path + problem.rule} size="sm" c="var(--mantine-color-error)">
      {column && `${names[column]}: `}
      {wordingOf(wordings, problem)}
    </Text>
  ));
}

const aligned: Partial<Record<Column, Partial<TableColumn<CheckedRow>>>> = {
  dueDate: { isWhole: true },
  amount: { align: 'right' },
};

/** The amount that a cell names; undefined for a percent, and for what is no amount. */
function amountIn({ amount, due: { fine, interest, discounts } }: RowPayment, column: Column): unknown {
  const share = { fine, interest, discount: discounts?.[0] }[column as 'fine' | 'interest' | 'discount'];
  if (column === 'amount') return amount;
  if (!share) return undefined;
  return 'amountPerDay' in share ? share.amountPerDay : 'amount' in share ? share.amount : undefined;
}

/** Amounts and days as they were understood; what was not stays as it is written. */
function useCellText(): (row: CheckedRow, column: Column) => string {
  const { money, calendarDay } = useFormats();
  return ({ cells, payment }, column) => {
    const amount = amountIn(payment, column);
    if (typeof amount === 'number') return money(amount);
    const { date } = payment.due;
    if (column === 'dueDate' && calendarDayOf(date ?? '')) return calendarDay(date);
    return cells[column] || none;
  };
}

/** Shows every row, or those that are wrong, with what is wrong in which column. */
export function RowTable({ rows, used }: { rows: readonly CheckedRow[]; used: ReadonlySet<Column> }) {
  const text = useTexts(messages);
  const names = useTexts(columnTexts);
  const cellText = useCellText();
  const [isOnlyWrong, setIsOnlyWrong] = useState(false);
  const hasWrong = rows.some(isWrong);
  const shown = isOnlyWrong && hasWrong ? rows.filter(isWrong) : [...rows];
  return (
    <Stack gap="sm">
      {hasWrong && (
        <Checkbox
          label={text.onlyWrong}
          checked={isOnlyWrong}
          onChange={({ currentTarget }) => {
            setIsOnlyWrong(currentTarget.checked);
          }}
        />
      )}
      <DataTable
        caption={text.caption}
        rows={shown}
        keyOf={({ number }) => String(number)}
        empty={null}
        detail={(row) => isWrong(row) && <Problems problems={row.problems} />}
        columns={[
          { header: text.row, cell: ({ number }) => number },
          ...columns
            .filter((column) => used.has(column))
            .map((column): TableColumn<CheckedRow> => ({
              header: names[column],
              ...aligned[column],
              cell: (row) => cellText(row, column),
            })),
        ]}
      />
    </Stack>
  );
}
