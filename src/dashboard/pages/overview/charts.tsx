import { SimpleGrid, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { wallClock } from '../../../core/base/time/wall-clock.ts';
import type { ResultOf } from '../../api/graphql.ts';
import { BarChart, wholeColor } from '../../ui/charts/bar-chart.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { durationUnitOf, texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import type { statisticsDocument } from './documents.ts';
import { paidEver } from './figures.tsx';
import { Funnel } from './funnel.tsx';
import { WeekMap } from './week-map.tsx';
import { Section } from '../../ui/page.tsx';

type Statistics = ResultOf<typeof statisticsDocument>['statistics'];

type Bucket = Statistics['buckets'][number];

const messages = texts(
  {
    title: 'Evolução',
    asTable: 'Mostrar como tabela',
    caption: 'Pagamentos por período',
    hour: 'Hora',
    day: 'Dia',
    volume: 'Volume pago',
    payments: 'Criados e pagos',
    created: 'Criados',
    completed: 'Pagos',
    failed: 'Falharam ao criar',
    conversion: 'Conversão',
    timeToPay: 'Tempo até o pagamento (mediana)',
    median: 'Mediana',
    before: 'Período anterior',
    completedBefore: 'Pagos antes',
    previous: (value: string) => `anterior: ${value}`,
    soFar: 'até agora',
    hourSoFar: 'Esta hora, até agora',
    daySoFar: 'Hoje, até agora',
  },
  {
    title: 'Over time',
    asTable: 'Show as table',
    caption: 'Payments by period',
    hour: 'Hour',
    day: 'Day',
    volume: 'Volume paid',
    payments: 'Created and paid',
    created: 'Created',
    completed: 'Paid',
    failed: 'Failed to create',
    conversion: 'Conversion',
    timeToPay: 'Time to pay (median)',
    median: 'Median',
    before: 'Previous period',
    completedBefore: 'Paid before',
    previous: (value) => `previous: ${value}`,
    soFar: 'so far',
    hourSoFar: 'This hour so far',
    daySoFar: 'Today so far',
  },
);

interface ChartsProps {
  buckets: readonly Bucket[];
  /** The same places in the period before, as far as they are known. */
  before: readonly Bucket[];
  isByHour: boolean;
}

const paid = 'var(--mantine-color-teal-text)';
const trouble = 'var(--mantine-color-red-text)';
const past = 'light-dark(var(--mantine-color-gray-7), var(--mantine-color-gray-2))';
const halfDayMs = 43_200_000;

const conversionOf = ({ created, failed, completed }: Bucket): number | null =>
  created + failed === 0 ? null : completed / (created + failed);

function usePlaceOf(isByHour: boolean): (bucket: Bucket) => string {
  const { hour, day } = useFormats();
  // Noon stands for the day: around a clock change, days begin an hour early or late.
  return ({ start }) => (isByHour ? hour(start) : day(new Date(Date.parse(start) + halfDayMs)));
}

/** The last hour or day that has begun. */
const unfinishedOf = (buckets: readonly Bucket[]): number =>
  buckets.findLastIndex(({ start }) => Date.parse(start) <= Date.now());

function ChartGrid({ buckets, before, isByHour }: ChartsProps) {
  const text = useTexts(messages);
  const formats = useFormats();
  const placeOf = usePlaceOf(isByHour);
  const places = buckets.map(placeOf);
  const unfinished = {
    place: unfinishedOf(buckets),
    label: text.soFar,
    legend: isByHour ? text.hourSoFar : text.daySoFar,
  };
  const beforeOf = (label: string, valueOf: (bucket: Bucket) => number | null) =>
    before.length === 0
      ? []
      : [
          {
            label,
            color: past,
            isLine: true,
            values: buckets.map((_, place) => (before[place] ? valueOf(before[place]) : null)),
          },
        ];
  const timeZone = useTimeZone();
  const [, navigate] = useLocation();
  const openDay = (more = '') =>
    isByHour
      ? undefined
      : (place: number) => {
          const noon = new Date(Date.parse(buckets[place]?.start ?? '') + halfDayMs);
          const [day = ''] = wallClock(noon, timeZone).split('T');
          navigate(`/payments?from=${day}&to=${day}${more}`);
        };
  const completed = { label: text.completed, color: paid, values: buckets.map((each) => each.completed) };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <BarChart
        title={text.volume}
        places={places}
        open={openDay(paidEver)}
        series={[
          { label: text.volume, color: paid, values: buckets.map(({ volume }) => volume) },
          ...beforeOf(text.before, ({ volume }) => volume),
        ]}
        unfinished={unfinished}
        format={formats.money}
        formatTick={formats.shortMoney}
      />
      <BarChart
        title={text.payments}
        places={places}
        open={openDay()}
        series={[
          { label: text.created, color: wholeColor, values: buckets.map(({ created }) => created) },
          completed,
          ...beforeOf(text.completedBefore, (each) => each.completed),
        ]}
        unfinished={unfinished}
        format={formats.count}
      />
      <BarChart
        title={text.conversion}
        places={places}
        series={[
          { label: text.conversion, color: paid, values: buckets.map(conversionOf) },
          ...beforeOf(text.before, conversionOf),
        ]}
        unfinished={unfinished}
        format={formats.share}
        top={1}
      />
      <BarChart
        title={text.timeToPay}
        places={places}
        series={[
          { label: text.median, color: paid, values: buckets.map((each) => each.medianSecondsToPay) },
          ...beforeOf(text.before, ({ medianSecondsToPay }) => medianSecondsToPay),
        ]}
        unfinished={unfinished}
        format={formats.seconds}
        unitOf={(seconds) => durationUnitOf(seconds).seconds}
      />
      {buckets.some(({ failed }) => failed > 0) && (
        <div style={{ gridColumn: '1 / -1' }}>
          <BarChart
            title={text.failed}
            places={places}
            open={openDay('&status=failed')}
            unfinished={unfinished}
            series={[{ label: text.failed, color: trouble, values: buckets.map(({ failed }) => failed) }]}
            format={formats.count}
          />
        </div>
      )}
    </SimpleGrid>
  );
}

function ChartTable({ buckets, before, isByHour }: ChartsProps) {
  const text = useTexts(messages);
  const { count, money, seconds, share } = useFormats();
  const placeOf = usePlaceOf(isByHour);
  const unfinished = unfinishedOf(buckets);
  const compared = (
    header: string,
    valueOf: (bucket: Bucket) => number | null,
    format: (value: number) => string,
  ): Column<Bucket & { place: number }> => {
    const written = (bucket: Bucket) => {
      const value = valueOf(bucket);
      return value === null ? '—' : format(value);
    };
    return {
      header,
      align: 'right',
      cell: ({ place, ...bucket }) => (
        // A narrow table puts the parts of a cell side by side.
        <div>
          {written(bucket)}
          {before[place] && (
            <Text size="xs" c="dimmed">
              {text.previous(written(before[place]))}
            </Text>
          )}
        </div>
      ),
    };
  };
  return (
    <DataTable
      caption={text.caption}
      rows={buckets.map((bucket, place) => ({ ...bucket, place }))}
      keyOf={({ start }) => start}
      empty={null}
      columns={[
        {
          header: isByHour ? text.hour : text.day,
          isWhole: true,
          cell: (bucket) =>
            bucket.place === unfinished ? `${placeOf(bucket)} (${text.soFar})` : placeOf(bucket),
        },
        compared(text.volume, ({ volume }) => volume, money),
        { header: text.created, align: 'right', cell: ({ created }) => count(created) },
        { header: text.failed, align: 'right', cell: ({ failed }) => count(failed) },
        compared(text.completed, ({ completed }) => completed, count),
        compared(text.conversion, conversionOf, share),
        compared(text.timeToPay, ({ medianSecondsToPay }) => medianSecondsToPay, seconds),
      ]}
    />
  );
}

interface Props extends Omit<ChartsProps, 'buckets'> {
  statistics: Statistics;
  /** The first day of the period, which ends today. */
  firstDay: string;
  range: { from: string; to: string };
}

/** Loaded lazily, so that the figures do not wait for it. */
export default function Charts({ statistics, firstDay, range, ...rest }: Props) {
  const text = useTexts(messages);
  const [isTable, setIsTable] = useState(false);
  const props = { ...rest, buckets: statistics.buckets };
  return (
    <>
      <Funnel statistics={statistics} firstDay={firstDay} />
      <Section
        title={text.title}
        aside={
          <Switch
            label={text.asTable}
            checked={isTable}
            onChange={(event) => {
              setIsTable(event.currentTarget.checked);
            }}
          />
        }
      >
        {isTable ? <ChartTable {...props} /> : <ChartGrid {...props} />}
        {!rest.isByHour && <WeekMap {...range} />}
      </Section>
    </>
  );
}
