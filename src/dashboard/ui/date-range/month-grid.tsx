import { ActionIcon, Group, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import classes from './date-range.module.css';
import { MonthTable } from './month-table.tsx';
import { capitalized, noonOf, plusMonths } from './months.ts';
import { type DateRange, plusDays } from './ranges.ts';

const messages = texts(
  { previous: 'Mês anterior', next: 'Próximo mês' },
  { previous: 'Previous month', next: 'Next month' },
);

const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface MonthGridProps {
  range: DateRange;
  today: string;
  /** Days until today can be chosen, unless these say otherwise. */
  first?: string | undefined;
  last?: string | undefined;
  choose: (day: string) => void;
}

/** The arrows move between days, also into the next month. */
export function MonthGrid({ range, today, first = '', last = today, choose }: MonthGridProps) {
  const text = useTexts(messages);
  const { dateLocale: locale } = useFormats();
  const [current, setCurrent] = useState(range.to || range.from || today);
  const hasMoved = useRef(false);
  const grid = useRef<HTMLTableElement>(null);
  const month = current.slice(0, 7);
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    hasMoved.current = false;
  }, [current]);
  const isOffered = (day: string) => first <= day && day <= last;
  const move = (day: string) => {
    if (isOffered(day)) setCurrent(day);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    move(plusDays(current, step));
  };
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const title = capitalized(format({ month: 'long', year: 'numeric' }).format(noonOf(`${month}-15`)), locale);
  const [weekday, whole] = [format({ weekday: 'narrow' }), format({ dateStyle: 'full' })];
  const toMonth = (months: number) => () => {
    const day = `${plusMonths(month, months)}-01`;
    setCurrent(day < first ? first : day > last ? last : day);
  };
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <ActionIcon
          variant="subtle"
          aria-label={text.previous}
          disabled={month <= first.slice(0, 7)}
          onClick={toMonth(-1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={600} aria-live="polite">
          {title}
        </Text>
        <ActionIcon
          variant="subtle"
          aria-label={text.next}
          disabled={month >= last.slice(0, 7)}
          onClick={toMonth(1)}
        >
          <ChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <MonthTable
        ref={grid}
        className={classes.month}
        label={title}
        month={month}
        weekday={weekday}
        cell={(day) => (
          <button
            type="button"
            className={classes.day}
            tabIndex={day === current ? 0 : -1}
            aria-label={whole.format(noonOf(day))}
            aria-pressed={day === range.from || day === range.to}
            data-within={(range.from && range.to && day > range.from && day < range.to) || undefined}
            data-today={day === today || undefined}
            disabled={!isOffered(day)}
            onKeyDown={onKeyDown}
            onClick={() => {
              setCurrent(day);
              choose(day);
            }}
          >
            {Number(day.slice(-2))}
          </button>
        )}
      />
    </div>
  );
}
