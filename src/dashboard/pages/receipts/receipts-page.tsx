import { Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { ExportButton } from '../../parts/export-button.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { DateRangeInput } from '../../ui/date-range/date-range-input.tsx';
import { dayIn, type Preset, rangeOfPreset } from '../../ui/date-range/ranges.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SumCards } from '../../ui/figures/sum-cards.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { receiptsDocument, type ReceiptsResult } from './documents.ts';
import { CredentialTable, DayTable } from './receipt-tables.tsx';
import { usePeriod } from './use-period.ts';

const messages = texts(
  {
    title: 'Recebimentos',
    about:
      'Pix recebidos, pela data do pagamento. Estornos contam no dia do Pix, como na conciliação. Os valores não descontam as tarifas dos provedores.',
    zone: 'Fuso horário',
    yesterday: 'Ontem',
    gross: 'Bruto',
    refunded: 'Estornos',
    reversed: 'Devolução pelo banco (MED ou contestação)',
    net: 'Após estornos',
    byCredential: 'Por credencial',
    byDay: 'Por dia',
    none: 'Nenhum Pix recebido neste período',
    since: (day: string) => `Pix anteriores a ${day} ainda estão sendo somados.`,
  },
  {
    title: 'Receipts',
    about:
      'Pix received, by date of payment. Refunds and reversals count on the day of the Pix, as in the reconciliation. Amounts are before provider fees.',
    zone: 'Time zone',
    yesterday: 'Yesterday',
    gross: 'Gross',
    refunded: 'Refunded',
    reversed: 'Reversed (MED or dispute)',
    net: 'After refunds',
    byCredential: 'By credential',
    byDay: 'By day',
    none: 'No Pix received in this period',
    since: (day: string) => `Pix from before ${day} are still being added.`,
  },
);

function Sums({ total }: Pick<ReceiptsResult, 'total'>) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const names = ['gross', 'refunded', 'reversed', 'net'] as const;
  return <SumCards figures={names.map((name) => [text[name], money(total[name])])} />;
}

function Result({ receipts: { total, groups, days, since } }: { receipts: ReceiptsResult }) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  return (
    <Stack>
      {since && (
        <Text size="sm" c="dimmed">
          {text.since(dateTime(since))}
        </Text>
      )}
      <Sums total={total} />
      {days.length === 0 && (
        <Paper withBorder>
          <EmptyState title={text.none} />
        </Paper>
      )}
      {groups.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {text.byCredential}
          </Title>
          <CredentialTable groups={groups} />
        </Stack>
      )}
      {days.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {text.byDay}
          </Title>
          <DayTable days={days} />
        </Stack>
      )}
    </Stack>
  );
}

const zoneName = (zone: string, locale: string): string => {
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    timeZoneName: 'longGeneric',
  }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
};

export default function ReceiptsPage() {
  const text = useTexts(messages);
  const { locale } = useFormats();
  const { range, timeZone, zones, change } = usePeriod();
  const result = useServiceQuery(
    receiptsDocument,
    { ...range, timeZone },
    { keepPrevious: () => true, refetchIntervalMs: 60_000 },
  );
  const preset = (name: Preset) => () => {
    change(rangeOfPreset(name, dayIn(timeZone)));
  };
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={<ExportButton file="receipts" parameters={{ ...range, timeZone }} />}
    >
      <Group gap="sm">
        <Button variant="default" onClick={preset('yesterday')}>
          {text.yesterday}
        </Button>
        <DateRangeInput value={range} onChange={change} timeZone={timeZone} />
        <Select
          aria-label={text.zone}
          allowDeselect={false}
          w={{ base: '100%', xs: 280 }}
          value={timeZone}
          data={zones.map((zone) => ({ value: zone, label: zoneName(zone, locale) }))}
          onChange={(zone) => {
            if (zone) change({ zone });
          }}
        />
      </Group>
      <QueryResult result={result}>{({ receipts }) => <Result receipts={receipts} />}</QueryResult>
    </Page>
  );
}
