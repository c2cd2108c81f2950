import { Paper, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResultOf } from '../../api/graphql.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { BarChart, wholeColor } from '../../ui/charts/bar-chart.tsx';
import { healthDocument } from './base/documents.ts';
import { Section } from '../../ui/page.tsx';

type EndpointHealth = NonNullable<ResultOf<typeof healthDocument>['webhookEndpointHealth']>;

const messages = texts(
  {
    title: 'Desempenho',
    period: 'Período',
    periods: { 24: '24 horas', 168: '7 dias' },
    rate: 'Requisições aceitas',
    requests: 'Requisições',
    accepted: 'Aceitas (2xx)',
    refused: 'Não aceitas',
    latency: 'Tempo de resposta',
    median: 'Mediana',
    p95: '95%',
    none: 'Nenhuma requisição no período.',
  },
  {
    title: 'Performance',
    period: 'Period',
    periods: { 24: '24 hours', 168: '7 days' },
    rate: 'Accepted requests',
    requests: 'Requests',
    accepted: 'Accepted (2xx)',
    refused: 'Not accepted',
    latency: 'Response time',
    median: 'Median',
    p95: '95%',
    none: 'No requests in this period.',
  },
);

const good = 'var(--mantine-color-teal-text)';
const bad = 'var(--mantine-color-red-text)';
const periods = [24, 168] as const;
type Period = (typeof periods)[number];

const refetchIntervalMs = 30_000;

export const useHealth = (id: string, hours: number = periods[0]) =>
  useServiceQuery(
    healthDocument,
    { id, hours },
    { refetchIntervalMs, keepPrevious: (before) => before.id === id },
  ).data?.webhookEndpointHealth;

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{value}</Text>
    </div>
  );
}

function Charts({ health: { hours } }: { health: EndpointHealth }) {
  const text = useTexts(messages);
  const { count, milliseconds, day, hour } = useFormats();
  const places = hours.map(({ start }) =>
    hours.length > periods[0] ? `${day(start)} ${hour(start)}` : hour(start),
  );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <BarChart
        title={text.requests}
        places={places}
        series={[
          // Drawn behind the others, so that what is seen of them was not accepted.
          {
            label: text.refused,
            color: bad,
            values: hours.map(({ attempts }) => attempts),
            said: hours.map(({ attempts, succeeded }) => attempts - succeeded),
          },
          { label: text.accepted, color: good, values: hours.map(({ succeeded }) => succeeded) },
        ]}
        format={count}
      />
      <BarChart
        title={text.latency}
        places={places}
        series={[
          { label: text.p95, color: wholeColor, values: hours.map(({ p95LatencyMs }) => p95LatencyMs) },
          { label: text.median, color: good, values: hours.map(({ medianLatencyMs }) => medianLatencyMs) },
        ]}
        format={milliseconds}
      />
    </SimpleGrid>
  );
}

/** Charts success rate and latency over time. */
export function Health({ id }: { id: string }) {
  const text = useTexts(messages);
  const { share, milliseconds, count } = useFormats();
  const [period, setPeriod] = useState<Period>(periods[0]);
  const health = useHealth(id, period);
  if (!health) return null;
  const { attempts, succeeded, medianLatencyMs, p95LatencyMs } = health;
  const orNone = (value: number | null) => (value === null ? '—' : milliseconds(value));
  return (
    <Section
      title={text.title}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={text.period}
          data={periods.map((hours) => ({ value: String(hours), label: text.periods[hours] }))}
          value={String(period)}
          onChange={(value) => {
            setPeriod(periods.find((hours) => String(hours) === value) ?? periods[0]);
          }}
        />
      }
    >
      <Paper withBorder p="md">
        {attempts === 0 ? (
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        ) : (
          <SimpleGrid cols={{ base: 2, sm: 4 }}>
            <Figure label={text.rate} value={share(succeeded / attempts)} />
            <Figure label={text.requests} value={count(attempts)} />
            <Figure
              label={`${text.latency} (${text.median.toLowerCase()})`}
              value={orNone(medianLatencyMs)}
            />
            <Figure label={`${text.latency} (${text.p95})`} value={orNone(p95LatencyMs)} />
          </SimpleGrid>
        )}
      </Paper>
      {attempts > 0 && <Charts health={health} />}
    </Section>
  );
}
