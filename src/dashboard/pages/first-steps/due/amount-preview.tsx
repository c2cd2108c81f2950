import { Stack, Text } from '@mantine/core';
import { cents, type Cents, reaisFromCents } from '../../../../core/base/money.ts';
import { addDays, type CalendarDay, daysBetween } from '../../../../core/base/time/calendar-day.ts';
import { type AmountParts, amountOf, amountPartsOn } from '../../../../core/payments/rules/due/amount-due.ts';
import {
  type DueTerms,
  lastPayableDayOf,
  turningDaysOf,
} from '../../../../core/payments/rules/due/due-terms.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { BarChart } from '../../../ui/charts/bar-chart.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { noonOf } from '../../../ui/date-range/months.ts';
import { brasiliaToday } from '../../../base/brasilia-today.ts';

const messages = texts(
  {
    title: 'Valor a pagar por dia',
    caption: 'Dias em que o valor muda',
    day: 'Dia',
    discount: 'Desconto',
    fine: 'Multa',
    interest: 'Juros',
    amount: 'Valor',
    estimate: 'Estimativa: o valor final é o que o banco do pagador mostrar.',
  },
  {
    title: 'Amount to pay by day',
    caption: 'Days on which the amount changes',
    day: 'Day',
    discount: 'Discount',
    fine: 'Fine',
    interest: 'Interest',
    amount: 'Amount',
    estimate: 'An estimate: the final amount is the one that the payer’s bank shows.',
  },
);

/** More bars than that are too thin to be seen: then some days are left out. */
const maximumBars = 90;

function drawnDays(first: CalendarDay, last: CalendarDay): CalendarDay[] {
  const count = daysBetween(first, last) + 1;
  const step = Math.ceil(count / maximumBars);
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => addDays(first, place * step));
}

/** The first and the last day, and those on and after which the terms change. */
function turningDays(first: CalendarDay, last: CalendarDay, terms: DueTerms): CalendarDay[] {
  const turns = turningDaysOf(terms).flatMap((day) => [day, addDays(day, 1)]);
  return [...new Set([first, ...turns, last])].filter((day) => day >= first && day <= last).toSorted();
}

interface Row extends AmountParts {
  day: CalendarDay;
}

const parts = ['discount', 'fine', 'interest'] as const;

const isNothingLeft = (row: Row): boolean => amountOf(row) < cents(1);

/** Shows what is owed from today to the last day. Renders nothing while that is not known. */
export function AmountPreview({ amountInCents, terms }: { amountInCents: Cents; terms: DueTerms }) {
  const text = useTexts(messages);
  const { money, shortMoney, day: dayText, calendarDay } = useFormats();
  const today = brasiliaToday();
  const last = lastPayableDayOf(terms);
  const rowOf = (day: CalendarDay): Row => ({ day, ...amountPartsOn(day, amountInCents, terms) });
  const amount = (row: Row) => reaisFromCents(amountOf(row));
  if (last < today || isNothingLeft(rowOf(today))) return null;
  const drawn = drawnDays(today, last).map(rowOf);
  return (
    <Stack gap="xs">
      <BarChart
        title={text.title}
        places={drawn.map(({ day }) => dayText(noonOf(day)))}
        series={[{ label: text.amount, color: 'var(--mantine-color-teal-text)', values: drawn.map(amount) }]}
        format={money}
        formatTick={shortMoney}
        top={Math.max(...drawn.map(amount))}
      />
      <DataTable
        caption={text.caption}
        rows={turningDays(today, last, terms).map(rowOf)}
        keyOf={({ day }) => day}
        empty={null}
        columns={[
          { header: text.day, narrow: 'note', isWhole: true, cell: ({ day }) => calendarDay(day) },
          ...parts.map((part) => ({
            header: text[part],
            align: 'right' as const,
            cell: (row: Row) => {
              const share = row[`${part}InCents`];
              return share === 0n ? '—' : money(reaisFromCents(share));
            },
          })),
          {
            header: text.amount,
            narrow: 'aside',
            align: 'right',
            cell: (row) => <strong>{money(amount(row))}</strong>,
          },
        ]}
      />
      <Text size="xs" c="dimmed">
        {text.estimate}
      </Text>
    </Stack>
  );
}
