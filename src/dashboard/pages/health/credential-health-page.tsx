import { Anchor, Group, Paper, SimpleGrid, Stack } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { BarChart } from '../../ui/charts/bar-chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { callsDocument, type Health, healthDocument, type WindowCalls } from './documents.ts';
import {
  AccountFacts,
  HealthDiversion,
  HealthMark,
  LastFailure,
  useWindow,
  WindowChoice,
  WindowFigures,
} from './health-parts.tsx';
import { healthTexts, outcomeTexts, type Window } from './texts.ts';

const pollIntervalMs = 10_000;
const good = 'var(--mantine-color-teal-text)';
const bad = 'var(--mantine-color-red-text)';

function Charts({ id, window }: { id: string; window: Window }) {
  const text = useTexts(healthTexts);
  const { count, hour, day, milliseconds } = useFormats();
  const { data, error } = useServiceQuery(
    callsDocument,
    { id, window },
    { refetchIntervalMs: 15_000, keepPrevious: (before) => before.id === id },
  );
  if (!data) return error ? <ErrorAlert error={error} /> : <Loading />;
  const buckets = data.providerCalls;
  const places = buckets.map(({ start }) =>
    window === 'week' ? `${day(start)} ${hour(start)}` : hour(start),
  );
  const done = buckets.map(({ calls, successRate }) => Math.round(calls * (successRate ?? 0)));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <BarChart
        title={text.overTime}
        places={places}
        series={[
          // Drawn behind the others, so that what is seen of them failed.
          {
            label: text.failed,
            color: bad,
            values: buckets.map(({ calls }) => calls),
            said: buckets.map(({ calls }, place) => calls - (done[place] ?? 0)),
          },
          { label: text.succeeded, color: good, values: done },
        ]}
        format={count}
      />
      <BarChart
        title={text.p95}
        places={places}
        series={[{ label: text.p95, color: good, values: buckets.map(({ p95Ms }) => p95Ms) }]}
        format={milliseconds}
      />
    </SimpleGrid>
  );
}

function Outcomes({ calls }: { calls: WindowCalls }) {
  const text = useTexts(healthTexts);
  const outcomeText = useTexts(outcomeTexts);
  const { count, share } = useFormats();
  return (
    <Section title={text.outcomesTitle}>
      <DataTable
        caption={text.outcomesTitle}
        rows={calls.outcomes}
        keyOf={({ outcome }) => outcome}
        empty={<EmptyState title={text.noCalls} />}
        columns={[
          { header: text.outcome, cell: ({ outcome }) => outcomeText[outcome] },
          { header: text.count, align: 'right', cell: (row) => count(row.count) },
          { header: text.share, align: 'right', cell: (row) => share(row.count / calls.calls) },
        ]}
      />
    </Section>
  );
}

function Details({ health, window }: { health: Health; window: Window }) {
  const { lastFailure } = health;
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="md">
          <WindowFigures calls={health[window]} />
          <AccountFacts health={health} />
          {lastFailure && <LastFailure failure={lastFailure} />}
          <Group>
            <HealthDiversion health={health} />
          </Group>
        </Stack>
      </Paper>
      <Charts id={health.credentialId} window={window} />
      <Outcomes calls={health[window]} />
    </>
  );
}

export default function CredentialHealthPage() {
  const text = useTexts(healthTexts);
  const { id } = useParams<{ id: string }>();
  const [window, setWindow] = useWindow();
  const providerName = useProviderName();
  const { data, error } = useServiceQuery(healthDocument, {}, { refetchIntervalMs: pollIntervalMs });
  const health = data?.providerHealth.find(({ credentialId }) => credentialId === id);
  return (
    <Page
      title={health?.name ?? text.title}
      about={health && providerName(health.provider)}
      mark={health && <HealthMark health={health} />}
      back={{ to: '/health', label: text.title }}
      aside={
        <Anchor component={Link} href="/credentials" size="sm">
          {text.toCredential}
        </Anchor>
      }
      actions={<WindowChoice value={window} onChange={setWindow} />}
    >
      {health ? (
        <Details health={health} window={window} />
      ) : error ? (
        <ErrorAlert error={error} />
      ) : data ? (
        <EmptyState title={text.none} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
