import { Alert, Code, Paper, Stack, Text } from '@mantine/core';
import { CircleX } from 'lucide-react';
import { useParams } from 'wouter';
import { credentialOf } from '../../parts/book-path.ts';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { BookStateBadge } from './book-state.tsx';
import { DaySums } from './day-sums.tsx';
import { Differences } from './differences/differences.tsx';
import { accountsDocument, type BookDay, booksDocument } from './base/documents.ts';
import { FetchButton } from './fetch-button.tsx';
import { capitalized, noonOf } from '../../ui/date-range/months.ts';
import { useProblemText } from './problem-texts.ts';

const messages = texts(
  {
    back: 'Conciliação',
    missing: 'Este dia não tem extrato',
    missingAbout: 'O extrato de um dia é importado na madrugada seguinte.',
    unavailable: 'O extrato não pôde ser lido',
    retried: 'Uma nova leitura é tentada a cada hora.',
    detail: 'Para o suporte do provedor:',
    waiting: 'O extrato ainda não foi lido',
  },
  {
    back: 'Reconciliation',
    missing: 'This day has no statement',
    missingAbout: "A day's statement is imported the night after.",
    unavailable: 'The statement could not be read',
    retried: 'It is tried again every hour.',
    detail: "For the provider's support:",
    waiting: 'The statement has not been read yet',
  },
);

const pollIntervalMs = 60_000;
const importingPollIntervalMs = 2_000;

function Problem({ day }: { day: BookDay }) {
  const text = useTexts(messages);
  const { text: reason, detail, isTriedAgain } = useProblemText()(day);
  return (
    <Alert color="red" variant="light" icon={<CircleX />} title={text.unavailable}>
      <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{[reason, isTriedAgain && text.retried].filter(Boolean).join(' ')}</Text>
        {detail && (
          <Text size="xs">
            {text.detail} <Code>{detail}</Code>
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function Day({ day }: { day: BookDay }) {
  const text = useTexts(messages);
  const isImported = day.importedAt !== null;
  // Money without a payment is known before the statement is read.
  const differs = day.openDifferences + day.settledDifferences > 0;
  return (
    <>
      {day.state === 'unavailable' && <Problem day={day} />}
      {isImported && <DaySums day={day} />}
      {(isImported || differs) && <Differences day={day} />}
      {!isImported && day.state !== 'unavailable' && (
        <Paper withBorder>
          <EmptyState title={text.waiting}>{text.missingAbout}</EmptyState>
        </Paper>
      )}
    </>
  );
}

export default function DayPage() {
  const text = useTexts(messages);
  const { dateLocale } = useFormats();
  const providerName = useProviderName();
  const { account, date } = useParams<{ account: string; date: string }>();
  const credentialId = credentialOf(account);
  const books = useServiceQuery(
    booksDocument,
    { credentialId, from: date, to: date },
    {
      refetchIntervalMs: (read) =>
        read?.books.edges[0]?.node.importing ? importingPollIntervalMs : pollIntervalMs,
    },
  );
  const accounts = useServiceQuery(accountsDocument, {});
  const credential = accounts.data?.credentials.find(({ id }) => id === account);
  const day = books.data?.books.edges[0]?.node;
  const noon = noonOf(date);
  const title = Number.isNaN(noon.getTime())
    ? text.back
    : new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeZone: 'UTC' }).format(noon);
  return (
    <Page
      title={capitalized(title, dateLocale)}
      mark={day && <BookStateBadge day={day} />}
      actions={<FetchButton credentialId={credentialId} date={date} isImporting={day?.importing === true} />}
      back={{ to: `/books?account=${account}&month=${date.slice(0, 7)}`, label: text.back }}
      about={
        credentialId === null
          ? providerName('sandbox')
          : credential && `${credential.name} · ${providerName(credential.provider, credential.preset)}`
      }
    >
      <QueryResult result={books}>
        {() =>
          day ? (
            <Day day={day} />
          ) : (
            <Paper withBorder>
              <EmptyState title={text.missing}>{text.missingAbout}</EmptyState>
            </Paper>
          )
        }
      </QueryResult>
    </Page>
  );
}
