import type { ReactNode, Ref } from 'react';
import { noonOf, weeksOf } from './months.ts';

const sundayToSaturday = ['01', '02', '03', '04', '05', '06', '07'].map((day) => noonOf(`2026-02-${day}`));

interface MonthTableProps {
  /** Looks like 2026-12. */
  month: string;
  label: string;
  className: string | undefined;
  weekday: Intl.DateTimeFormat;
  /** Gets a day like 2026-12-31. */
  cell: (day: string) => ReactNode;
  ref?: Ref<HTMLTableElement>;
}

/** Sets the weeks of a month below each other. */
export function MonthTable({ month, label, className, weekday, cell, ref }: MonthTableProps) {
  return (
    <table ref={ref} className={className} aria-label={label}>
      <thead>
        <tr>
          {sundayToSaturday.map((day) => (
            <th key={day.getTime()} scope="col">
              {weekday.format(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((day, index) => (
              // oxlint-disable-next-line react/no-array-index-key: the columns are the days of the week
              <td key={index}>{day && cell(day)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
