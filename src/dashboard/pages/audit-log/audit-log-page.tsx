import { Anchor, Badge, Box, Code, Group, Stack, Text } from '@mantine/core';
import { wordsOfAction, wordsOfActor } from '../../../core/audit/rules/audit-words.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { GoingOn } from '../../parts/empty-lists.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { WholeText } from '../../ui/clipped-text.tsx';
import { texts, useFormats, useLanguage, useTexts, useTimeZone } from '../../base/language.tsx';
import { useServicePages } from '../../base/use-service.ts';
import { Details } from './details.tsx';
import { type AuditEntry, auditLogDocument } from './documents.ts';
import { FilterBar } from './filter-bar.tsx';
import { NoEntries } from './no-entries.tsx';
import { Subject } from './subject.tsx';
import { auditFilterOf, type FilterProps, useFilters } from './use-filters.ts';

const messages = texts(
  {
    title: 'Auditoria',
    about:
      'Ações de pessoas, chaves de API e operadores do serviço, em teste e em produção. Os registros nunca são apagados.',
    at: 'Quando',
    who: 'Quem',
    onlyBy: (actor: string) => `Só registros de ${actor}`,
    what: 'Ação',
    details: 'Detalhes',
    test: 'Teste',
    live: 'Produção',
    notYet: 'Nada entre os registros mais recentes',
    notYetAbout: 'Há registros mais antigos que ainda não foram pesquisados.',
  },
  {
    title: 'Audit log',
    about:
      'Actions by people, API keys and service operators, in test and live mode. Entries are never deleted.',
    at: 'When',
    who: 'Who',
    onlyBy: (actor: string) => `Only entries of ${actor}`,
    what: 'Action',
    details: 'Details',
    test: 'Test',
    live: 'Live',
    notYet: 'Nothing among the newest entries',
    notYetAbout: 'There are older entries that have not been compared yet.',
  },
);

/** Other actions apply to both modes. */
const hasMode = (action: string): boolean => /^(payment|payer|webhook_)/.test(action);

type Change = FilterProps['change'];

function ActionCell({ entry, change }: { entry: AuditEntry; change: Change }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const mode = entry.details?.['mode'];
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={600}>
        {wordsOfAction(entry.action, language)}
      </Text>
      <Group gap={6}>
        <Code>{entry.action}</Code>
        {hasMode(entry.action) && (mode === 'test' || mode === 'live') && (
          <Badge size="sm" variant="light" color={mode === 'test' ? 'yellow' : 'teal'} tt="none">
            {text[mode]}
          </Badge>
        )}
        <Subject
          entry={entry}
          choose={(subject) => {
            change({ subject });
          }}
        />
      </Group>
    </Stack>
  );
}

function ActorCell({ entry, change }: { entry: AuditEntry; change: Change }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const name = wordsOfActor(entry, language);
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta={{ base: 'end', sm: 'start' }}
      title={text.onlyBy(name)}
      onClick={() => {
        change({ actor: entry.userId ?? entry.apiKeyId ?? entry.actor });
      }}
    >
      <WholeText>{name}</WholeText>
    </Anchor>
  );
}

function useColumns(change: Change): Column<AuditEntry>[] {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  return [
    { header: text.at, isWhole: true, cell: ({ at }) => dateTime(at) },
    { header: text.who, cell: (entry) => <ActorCell entry={entry} change={change} /> },
    { header: text.what, cell: (entry) => <ActionCell entry={entry} change={change} /> },
    { header: text.details, cell: ({ details }) => <Details details={details} /> },
  ];
}

export default function AuditLogPage() {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const { filters, change } = useFilters();
  const columns = useColumns(change);
  const filter = auditFilterOf(filters, useTimeZone());
  const pages = useServicePages(auditLogDocument, filter, ({ auditLog }) => auditLog, { keepPrevious: true });
  const byActor = pages.data?.find(({ userId, apiKeyId }) => filters.actor === (userId ?? apiKeyId));
  const empty = pages.more ? (
    <GoingOn more={pages.more} pageCount={pages.pageCount} title={text.notYet} about={text.notYetAbout} />
  ) : (
    <NoEntries filters={filters} change={change} />
  );
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={<ExportButton file="audit-log" parameters={filter} />}
    >
      <FilterBar filters={filters} change={change} actorName={byActor && wordsOfActor(byActor, language)} />
      <QueryResult result={pages}>
        {(entries) => (
          <Box aria-busy={pages.isStale} opacity={pages.isStale ? 0.5 : undefined}>
            <DataTable
              caption={text.title}
              columns={columns}
              rows={entries}
              keyOf={({ id }) => id}
              empty={empty}
              more={pages.more}
            />
          </Box>
        )}
      </QueryResult>
    </Page>
  );
}
