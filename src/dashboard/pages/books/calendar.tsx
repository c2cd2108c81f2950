import { Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { bookPath } from '../../parts/book-path.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { dayStateIcons, dayStateOf, dayStates, dayStateTexts } from './book-state.tsx';
import classes from './calendar.module.css';
import type { BookDay } from './base/documents.ts';
import { MonthTable } from '../../ui/date-range/month-table.tsx';

const messages = texts(
  {
    received: (amount: string) => `${amount} recebidos`,
    differences: (count: number) => (count === 1 ? '1 divergência' : `${count} divergências`),
  },
  {
    received: (amount: string) => `${amount} received`,
    differences: (count: number) => (count === 1 ? '1 difference' : `${count} differences`),
  },
);

function DayCell({ date, day }: { date: string; day: BookDay | undefined }) {
  const text = useTexts(messages);
  const states = useTexts(dayStateTexts);
  const { money } = useFormats();
  const number = Number(date.slice(-2));
  if (!day) {
    return (
      <div className={`${classes.day} ${classes.none}`}>
        <span className={classes.head}>{number}</span>
      </div>
    );
  }
  const state = dayStateOf(day);
  const Icon = dayStateIcons[state];
  return (
    <Link href={bookPath(day.credentialId, date)} className={classes.day} data-state={state}>
      <span className={classes.head}>
        {number} <Icon size={16} aria-hidden />
      </span>
      <span className={classes.words}>
        {day.openDifferences > 0 ? text.differences(day.openDifferences) : states[state]}
      </span>
      {day.importedAt !== null && <span className={classes.words}>{text.received(money(day.received))}</span>}
    </Link>
  );
}

function Legend() {
  const states = useTexts(dayStateTexts);
  const { mode } = useWorkplace();
  const shown = dayStates.filter((state) => mode === 'test' || state !== 'underway');
  return (
    <Group gap="md">
      {shown.map((state) => {
        const Icon = dayStateIcons[state];
        return (
          <Group key={state} gap={4} wrap="nowrap">
            <Icon size={16} aria-hidden />
            <Text size="xs">{states[state]}</Text>
          </Group>
        );
      })}
    </Group>
  );
}

/** Each day links to its sums and differences. */
export function Calendar({ caption, month, days }: { caption: string; month: string; days: BookDay[] }) {
  const { dateLocale } = useFormats();
  const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'short', timeZone: 'UTC' });
  const byDate = new Map(days.map((day) => [day.date, day]));
  return (
    <>
      <MonthTable
        className={classes.calendar}
        label={caption}
        month={month}
        weekday={weekday}
        cell={(date) => <DayCell date={date} day={byDate.get(date)} />}
      />
      <Legend />
    </>
  );
}
