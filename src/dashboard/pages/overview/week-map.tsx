import { Anchor, Group, Paper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { paidByHourDocument } from './documents.ts';
import { paidEver } from './figures.tsx';
import { weekHoursOf } from './week-hours.ts';
import classes from './week-map.module.css';

const messages = texts(
  {
    title: 'Pagos por dia da semana e hora',
    about: 'Pela hora em que a cobrança foi criada. Selecione uma hora para abrir as listas dela.',
    hour: 'Hora',
    day: 'Dia',
    none: 'nenhum pago',
    dated: (day: string, count: string) => `${day}: ${count}`,
  },
  {
    title: 'Paid by weekday and hour',
    about: 'By the hour in which the payment was created. Select an hour to open its lists.',
    hour: 'Hour',
    day: 'Day',
    none: 'none paid',
    dated: (day, count) => `${day}: ${count}`,
  },
);

interface Place {
  weekday: number;
  hour: number;
}

const levels = 4;
const weekdays = [0, 1, 2, 3, 4, 5, 6];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** A Sunday and the six days after it. */
const noonOf = (weekday: number) => new Date(Date.UTC(2026, 1, 1 + weekday, 12));

/** Takes as long as it takes: only what is around it is live. */
const refetchIntervalMs = 300_000;

/** Colours the hours of a week by how many payments were paid; a table with the numbers, turned by a quarter on a narrow screen. */
export function WeekMap({ from, to }: { from: string; to: string }) {
  const text = useTexts(messages);
  const { count, calendarDay, dateLocale } = useFormats();
  const timeZone = useTimeZone();
  const isNarrow = useMediaQuery('(max-width: 62em)');
  const counts = useServiceQuery(paidByHourDocument, { from, to }, { refetchIntervalMs }).data?.paidByHour;
  const cells = useMemo(() => weekHoursOf(counts ?? [], from, timeZone), [counts, from, timeZone]);
  const [current, setCurrent] = useState<Place>({ weekday: 1, hour: 12 });
  const [chosen, setChosen] = useState<Place>();
  const grid = useRef<HTMLTableElement>(null);
  const of = ({ weekday, hour }: Place) => cells[weekday]?.[hour] ?? [];
  const sumOf = (place: Place) => of(place).reduce((sum, each) => sum + each.count, 0);
  const most = Math.max(1, ...weekdays.flatMap((weekday) => hours.map((hour) => sumOf({ weekday, hour }))));
  const format = (weekday: 'short' | 'long') =>
    new Intl.DateTimeFormat(dateLocale, { weekday, timeZone: 'UTC' });
  const [short, long] = [format('short'), format('long')];
  const nameOf = ({ weekday, hour }: Place) => `${long.format(noonOf(weekday))}, ${hour}h`;
  const [rows, columns] = isNarrow ? [hours, weekdays] : [weekdays, hours];
  const placeAt = (row: number, column: number): Place =>
    isNarrow ? { weekday: column, hour: row } : { weekday: row, hour: column };
  const headerOf = (value: number, isHour: boolean) => (isHour ? `${value}h` : short.format(noonOf(value)));
  const onKeyDown = (event: KeyboardEvent, row: number, column: number) => {
    const { key } = event;
    const [down, right] = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    }[key] ?? [0, 0];
    const next = [row + (down ?? 0), column + (right ?? 0)] as const;
    if (!key.startsWith('Arrow')) return;
    event.preventDefault();
    if (!rows.includes(next[0]) || !columns.includes(next[1])) return;
    setCurrent(placeAt(...next));
    grid.current?.rows[next[0] + 1]?.cells[next[1] + 1]?.querySelector('button')?.focus();
  };
  if (!counts?.some((each) => each > 0)) return null;
  return (
    <Paper withBorder p="md" m={0} component="figure">
      <Text component="figcaption" fw={600}>
        {text.title}
      </Text>
      <Text size="xs" c="dimmed" mb="sm">
        {text.about}
      </Text>
      <table ref={grid} className={classes.map} aria-label={text.title}>
        <thead>
          <tr>
            <th scope="col">{isNarrow ? text.hour : text.day}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {headerOf(column, !isNarrow)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">{headerOf(row, !!isNarrow)}</th>
              {columns.map((column) => {
                const place = placeAt(row, column);
                const sum = sumOf(place);
                const isAt = (other: Place | undefined) =>
                  other?.weekday === place.weekday && other.hour === place.hour;
                return (
                  <td key={column}>
                    <button
                      type="button"
                      className={classes.cell}
                      data-level={Math.ceil((levels * sum) / most)}
                      tabIndex={isAt(current) ? 0 : -1}
                      aria-label={`${nameOf(place)}: ${count(sum)}`}
                      aria-pressed={isAt(chosen)}
                      onKeyDown={(event) => {
                        onKeyDown(event, row, column);
                      }}
                      onClick={() => {
                        setCurrent(place);
                        setChosen(place);
                      }}
                    >
                      {sum > 0 && count(sum)}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && (
        <Group component="output" gap="0 0.75rem" mt="sm">
          <Text size="sm" fw={600}>
            {nameOf(chosen)}
          </Text>
          {of(chosen).map((each) => (
            <Anchor
              key={each.day}
              component={Link}
              href={`/payments?from=${each.day}&to=${each.day}&hour=${chosen.hour}${paidEver}`}
              size="sm"
            >
              {text.dated(calendarDay(each.day), count(each.count))}
            </Anchor>
          ))}
          {of(chosen).length === 0 && <Text size="sm">{text.none}</Text>}
        </Group>
      )}
    </Paper>
  );
}
