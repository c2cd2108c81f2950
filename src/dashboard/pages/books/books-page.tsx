import { ActionIcon, Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { bookPath } from '../../parts/book-path.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Calendar } from './calendar.tsx';
import { type Account, accountsDocument, booksDocument } from './base/documents.ts';
import { MonthSums } from './month-sums.tsx';
import { today, usePlace } from './month.ts';
import { capitalized, daysOfMonth, noonOf, plusMonths } from '../../ui/date-range/months.ts';

const messages = texts(
  {
    title: 'Conciliação',
    about:
      'O que o extrato de cada conta mostra, comparado Pix a Pix com os pagamentos. Dias no horário de Brasília.',
    account: 'Credencial',
    previous: 'Mês anterior',
    next: 'Próximo mês',
    none: 'Nenhum extrato neste mês',
    noneAbout:
      'O extrato de um dia é importado na madrugada seguinte, a partir do dia em que a credencial foi criada.',
    noAccount: 'Nenhuma credencial de produção',
    noAccountAbout: 'Adicione a conta de um provedor: a conciliação começa no dia seguinte.',
    toCredentials: 'Ver credenciais',
    noneInTestAbout:
      'O extrato do sandbox é importado na madrugada seguinte a cada dia com Pix. O de hoje já pode ser buscado.',
    today: 'Ver hoje',
  },
  {
    title: 'Reconciliation',
    about:
      "What each account's statement shows, compared with the payments Pix by Pix. Days are in Brasília time.",
    account: 'Credential',
    previous: 'Previous month',
    next: 'Next month',
    none: 'No statements this month',
    noneAbout: "A day's statement is imported the night after, from the day the credential was created.",
    noAccount: 'No live credentials',
    noAccountAbout: 'Add an account at a provider: its reconciliation begins the next day.',
    toCredentials: 'View credentials',
    noneInTestAbout:
      "The sandbox's statement is imported the night after each day with a Pix. Today's can be fetched already.",
    today: 'View today',
  },
);

function MonthChoice({
  label,
  month,
  latest,
  change,
}: {
  label: string;
  month: string;
  latest: string;
  change: (month: string) => void;
}) {
  const text = useTexts(messages);
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={text.previous}
        onClick={() => {
          change(plusMonths(month, -1));
        }}
      >
        <ChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Title order={2} size="h4" ta="center" miw={150} aria-live="polite">
        {label}
      </Title>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={text.next}
        disabled={month >= latest}
        onClick={() => {
          change(plusMonths(month, 1));
        }}
      >
        <ChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

interface MonthBooksProps {
  /** The sandbox has no credential: null. */
  credentialId: string | null;
  /** Stands before the export. */
  beside: ReactNode;
}

function MonthBooks({ credentialId, beside }: MonthBooksProps) {
  const text = useTexts(messages);
  const { dateLocale } = useFormats();
  const { month, latest, change } = usePlace();
  const days = daysOfMonth(month);
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' };
  const books = useServiceQuery(booksDocument, { credentialId, ...range });
  const monthName = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const label = capitalized(monthName.format(noonOf(`${month}-15`)), dateLocale);
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        {beside}
        <ExportButton
          file="books"
          parameters={{ ...(credentialId !== null && { credentialId }), ...range }}
        />
      </Group>
      <MonthChoice
        label={label}
        month={month}
        latest={latest}
        change={(chosen) => {
          change({ month: chosen });
        }}
      />
      <QueryResult result={books}>
        {({ books: { edges } }) => {
          const found = edges.map(({ node }) => node);
          return (
            <>
              {found.length > 0 && <MonthSums days={found} />}
              {found.length === 0 && (
                <Text size="sm">
                  <strong>{text.none}.</strong>{' '}
                  {credentialId === null ? text.noneInTestAbout : text.noneAbout}
                </Text>
              )}
              <Calendar caption={`${text.title}: ${label}`} month={month} days={found} />
            </>
          );
        }}
      </QueryResult>
    </Stack>
  );
}

function AccountBooks({ accounts }: { accounts: Account[] }) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const { accountId, change } = usePlace();
  const account =
    accounts.find(({ id }) => id === accountId) ?? accounts.find(({ isDefault }) => isDefault) ?? accounts[0];
  if (!account) return null;
  return (
    <MonthBooks
      credentialId={account.id}
      beside={
        <Select
          label={text.account}
          w={{ base: '100%', xs: 320 }}
          allowDeselect={false}
          value={account.id}
          data={accounts.map(({ id, name, provider, preset }) => ({
            value: id,
            label: `${name} · ${providerName(provider, preset)}`,
          }))}
          onChange={(chosen) => {
            if (chosen) change({ account: chosen });
          }}
        />
      }
    />
  );
}

function SandboxBooks() {
  const text = useTexts(messages);
  return (
    <MonthBooks
      credentialId={null}
      beside={
        <Button component={Link} href={bookPath(null, today())}>
          {text.today}
        </Button>
      }
    />
  );
}

function LiveBooks() {
  const text = useTexts(messages);
  const accounts = useServiceQuery(accountsDocument, {});
  return (
    <QueryResult result={accounts}>
      {({ credentials }) => {
        const live = credentials.filter(({ provider }) => provider !== 'sandbox');
        if (live.length > 0) return <AccountBooks accounts={live} />;
        return (
          <Paper withBorder>
            <EmptyState
              title={text.noAccount}
              action={
                <Button component={Link} href="/credentials">
                  {text.toCredentials}
                </Button>
              }
            >
              {text.noAccountAbout}
            </EmptyState>
          </Paper>
        );
      }}
    </QueryResult>
  );
}

export default function BooksPage() {
  const text = useTexts(messages);
  const { mode } = useWorkplace();
  return (
    <Page title={text.title} about={text.about}>
      {mode === 'live' ? <LiveBooks /> : <SandboxBooks />}
    </Page>
  );
}
