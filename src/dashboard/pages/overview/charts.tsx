import { Group, SimpleGrid, Stack, Switch, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { wallClock } from '../../../core/base/time/wall-clock.ts';
import type { ResultOf } from '../../api/graphql.ts';
import { BarChart } from '../../ui/charts/bar-chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { durationUnitOf, texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import type { statisticsDocument } from './documents.ts';
import { paidEver } from './figures.tsx';

type Bucket = ResultOf<typeof statisticsDocument>['statistics']['buckets'][number];

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
  },
);

interface ChartsProps {
  buckets: readonly Bucket[];
  isByHour: boolean;
}

const paid = 'var(--mantine-color-teal-text)';
const trouble = 'var(--mantine-color-red-text)';
const whole = 'light-dark(var(--mantine-color-gray-5), var(--mantine-color-gray-7))';
const halfDayMs = 43_200_000;

const conversionOf = ({ created, failed, completed }: Bucket): number | null =>
  created + failed === 0 ? null : completed / (created + failed);

function usePlaceOf(isByHour: boolean): (bucket: Bucket) => string {
  const { hour, day } = useFormats();
  // Noon stands for the day: around a clock change, days begin an hour early or late.
  return ({ start }) => (isByHour ? hour(start) : day(new Date(Date.parse(start) + halfDayMs)));
}

function ChartGrid({ buckets, isByHour }: ChartsProps) {
  const text = useTexts(messages);
  const formats = useFormats();
  const placeOf = usePlaceOf(isByHour);
  const places = buckets.map(placeOf);
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
        series={[{ label: text.volume, color: paid, values: buckets.map(({ volume }) => volume) }]}
        format={formats.money}
        formatTick={formats.shortMoney}
      />
      <BarChart
        title={text.payments}
        places={places}
        open={openDay()}
        series={[
          { label: text.created, color: whole, values: buckets.map(({ created }) => created) },
          completed,
        ]}
        format={formats.count}
      />
      <BarChart
        title={text.conversion}
        places={places}
        series={[{ label: text.conversion, color: paid, values: buckets.map(conversionOf) }]}
        format={formats.share}
        top={1}
      />
      <BarChart
        title={text.timeToPay}
        places={places}
        series={[
          { label: text.timeToPay, color: paid, values: buckets.map((each) => each.medianSecondsToPay) },
        ]}
        format={formats.seconds}
        unitOf={(seconds) => durationUnitOf(seconds).seconds}
      />
      {buckets.some(({ failed }) => failed > 0) && (
        <div style={{ gridColumn: '1 / -1' }}>
          <BarChart
            title={text.failed}
            places={places}
            open={openDay('&status=failed')}
            series={[{ label: text.failed, color: trouble, values: buckets.map(({ failed }) => failed) }]}
            format={formats.count}
          />
        </div>
      )}
    </SimpleGrid>
  );
}

function ChartTable({ buckets, isByHour }: ChartsProps) {
  const text = useTexts(messages);
  const { count, money, seconds, share } = useFormats();
  const placeOf = usePlaceOf(isByHour);
  const orNone = (value: number | null, format: (value: number) => string) =>
    value === null ? '—' : format(value);
  return (
    <DataTable
      caption={text.caption}
      rows={[...buckets]}
      keyOf={({ start }) => start}
      empty={null}
      columns={[
        { header: isByHour ? text.hour : text.day, cell: placeOf },
        { header: text.volume, align: 'right', cell: ({ volume }) => money(volume) },
        { header: text.created, align: 'right', cell: ({ created }) => count(created) },
        { header: text.failed, align: 'right', cell: ({ failed }) => count(failed) },
        { header: text.completed, align: 'right', cell: ({ completed }) => count(completed) },
        { header: text.conversion, align: 'right', cell: (bucket) => orNone(conversionOf(bucket), share) },
        {
          header: text.timeToPay,
          align: 'right',
          cell: ({ medianSecondsToPay }) => orNone(medianSecondsToPay, seconds),
        },
      ]}
    />
  );
}

/** Loaded lazily, so that the figures do not wait for it. */
export default function Charts(props: ChartsProps) {
  const text = useTexts(messages);
  const [isTable, setIsTable] = useState(false);
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {text.title}
        </Title>
        <Switch
          label={text.asTable}
          checked={isTable}
          onChange={(event) => {
            setIsTable(event.currentTarget.checked);
          }}
        />
      </Group>
      {isTable ? <ChartTable {...props} /> : <ChartGrid {...props} />}
    </Stack>
  );
}
