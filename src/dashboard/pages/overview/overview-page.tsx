import { Anchor, Button, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { ResultOf } from '../../api/graphql.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadingPlaceholder } from '../../ui/loading.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts, useTimeZone } from '../../base/language.tsx';
import { useLiveRefresh, useServiceQuery } from '../../base/use-service.ts';
import { type paymentRow, paymentsUpdatedDocument } from '../payments/documents.ts';
import { usePaymentColumns } from '../payments/payment-columns.tsx';
import { Attention } from './attention.tsx';
import { latestPaymentsDocument, statisticsBeforeDocument, statisticsDocument } from './documents.ts';
import { Figures } from './figures.tsx';
import { type Period, periods, rangesOf, useNow, usePeriod } from './period.ts';

/** The previous period no longer changes, and statistics cost more than a list. */
const live = { of: [latestPaymentsDocument, statisticsDocument], throttleMs: 2_000 };

/** The live connection may fail unnoticed. */
const refetchIntervalMs = 60_000;

const figuresHeight = 150;
const chartsHeight = 620;

type Payment = ResultOf<typeof paymentRow>;

const Charts = lazy(() => import('./charts.tsx'));

const messages = texts(
  {
    title: 'Visão geral',
    period: 'Período',
    periods: { today: 'Hoje', 7: '7 dias', 30: '30 dias', 90: '90 dias' },
    compared: {
      today: 'Em comparação com ontem até este horário.',
      7: 'Em comparação com os 7 dias anteriores.',
      30: 'Em comparação com os 30 dias anteriores.',
      90: 'Em comparação com os 90 dias anteriores.',
    },
    counted:
      'Considera as cobranças criadas no período, com os pagamentos e estornos até agora. O volume inclui o que foi estornado ou devolvido depois. Na conversão contam também as cobranças que nenhum provedor criou.',
    latest: 'Últimos pagamentos',
    all: 'Ver todos',
    none: 'Nenhum pagamento ainda',
    noneAbout:
      'Crie a primeira cobrança em poucos minutos para acompanhar volume, conversão e tempo até o pagamento.',
    firstSteps: 'Primeiros passos',
  },
  {
    title: 'Overview',
    period: 'Period',
    periods: { today: 'Today', 7: '7 days', 30: '30 days', 90: '90 days' },
    compared: {
      today: 'Compared with yesterday at this time.',
      7: 'Compared with the previous 7 days.',
      30: 'Compared with the previous 30 days.',
      90: 'Compared with the previous 90 days.',
    },
    counted:
      'Covers payments created in the period, including what was paid and refunded since. Volume includes what was refunded or reversed later. Conversion also counts payments that no provider created.',
    latest: 'Latest payments',
    all: 'View all',
    none: 'No payments yet',
    noneAbout: 'Create your first payment in a few minutes to see volume, conversion and time to pay here.',
    firstSteps: 'Get started',
  },
);

/** The page asks for them, so that they load in parallel with its other queries. */
function useNumbers(period: Period) {
  const { now, before, firstDay } = rangesOf(period, useNow(), useTimeZone());
  const result = useServiceQuery(statisticsDocument, now, { refetchIntervalMs });
  const { data } = useServiceQuery(statisticsBeforeDocument, before, {
    // The end of the period moves with the clock; another start is another period.
    keepPrevious: ({ from }) => from === before.from,
  });
  return { result, before: data?.statistics, firstDay, range: now };
}

function Numbers({
  period,
  result,
  before,
  firstDay,
  range,
}: { period: Period } & ReturnType<typeof useNumbers>) {
  const text = useTexts(messages);
  return (
    <QueryResult result={result} loading={<LoadingPlaceholder heights={[figuresHeight, chartsHeight]} />}>
      {({ statistics }) => (
        <>
          <Stack gap="xs">
            <Figures statistics={statistics} before={before} firstDay={firstDay} />
            <Text size="xs" c="dimmed">
              {text.compared[period]} {text.counted}
            </Text>
          </Stack>
          <Suspense fallback={<LoadingPlaceholder heights={[chartsHeight]} />}>
            <Charts
              statistics={statistics}
              before={before?.buckets ?? []}
              isByHour={period === 'today'}
              firstDay={firstDay}
              range={range}
            />
          </Suspense>
        </>
      )}
    </QueryResult>
  );
}

function LatestPayments({ payments }: { payments: Payment[] }) {
  const text = useTexts(messages);
  const columns = usePaymentColumns({});
  return (
    <Section
      title={text.latest}
      aside={
        <Anchor component={Link} href="/payments" size="sm">
          {text.all}
        </Anchor>
      }
    >
      <DataTable
        caption={text.latest}
        columns={columns}
        rows={payments}
        keyOf={({ id }) => id}
        isLinked
        empty={null}
      />
    </Section>
  );
}

function NoPayments() {
  const text = useTexts(messages);
  return (
    <Paper withBorder>
      <EmptyState
        title={text.none}
        action={
          <Button component={Link} href="/first-steps">
            {text.firstSteps}
          </Button>
        }
      >
        {text.noneAbout}
      </EmptyState>
    </Paper>
  );
}

function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const text = useTexts(messages);
  return (
    <SegmentedControl
      aria-label={text.period}
      value={period}
      onChange={(value) => {
        onChange(value as Period);
      }}
      data={periods.map((value) => ({ value, label: text.periods[value] }))}
      // The widest fits into the smallest phone.
      styles={{ label: { paddingInline: 8 } }}
    />
  );
}

export default function OverviewPage() {
  const text = useTexts(messages);
  const [period, setPeriod] = usePeriod();
  const numbers = useNumbers(period);
  const latest = useServiceQuery(latestPaymentsDocument, {}, { refetchIntervalMs });
  useLiveRefresh(paymentsUpdatedDocument, {}, live);
  const isEmpty = latest.data?.payments.edges.length === 0;
  return (
    <Page title={text.title} actions={!isEmpty && <PeriodChoice period={period} onChange={setPeriod} />}>
      <Attention />
      <QueryResult result={latest}>
        {({ payments }) =>
          isEmpty ? (
            <NoPayments />
          ) : (
            <>
              <Numbers period={period} {...numbers} />
              <LatestPayments payments={payments.edges.map(({ node }) => node)} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}
