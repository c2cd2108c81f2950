import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { wordsOfActor } from '../../../core/audit/rules/audit-words.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { ClearFilters, GoingOn } from '../../parts/empty-lists.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useFormats, useLanguage, useTexts, useTimeZone } from '../../base/language.tsx';
import { useServicePages } from '../../base/use-service.ts';
import { Details } from './details.tsx';
import { type AuditEntry, auditLogDocument } from './documents.ts';
import { ActionCell, ActorCell, DetailsToggle } from './entry-cells.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NoEntries } from './no-entries.tsx';
import { Subject } from './subject.tsx';
import { auditFilterOf, type FilterProps, noFilters, useFilters } from './use-filters.ts';

const messages = texts(
  {
    title: 'Auditoria',
    about:
      'Ações de pessoas, chaves de API e operadores do serviço, em teste e em produção. Os registros nunca são apagados.',
    at: 'Quando',
    who: 'Quem',
    what: 'Ação',
    subject: 'Item',
    details: 'Detalhes',
    notYet: 'Nada entre os registros mais recentes',
    notYetAbout: 'Há registros mais antigos que ainda não foram pesquisados.',
  },
  {
    title: 'Audit log',
    about:
      'Actions by people, API keys and service operators, in test and live mode. Entries are never deleted.',
    at: 'When',
    who: 'Who',
    what: 'Action',
    subject: 'Item',
    details: 'Details',
    notYet: 'Nothing among the newest entries',
    notYetAbout: 'There are older entries that have not been searched yet.',
  },
);

function useColumns(change: FilterProps['change']): Column<AuditEntry>[] {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const [opened, setOpened] = useState<readonly string[]>([]);
  return [
    {
      header: text.at,
      narrow: 'note',
      isWhole: true,
      cell: (entry) => (
        <Group gap={4} wrap="nowrap">
          <DetailsToggle
            entry={entry}
            isOpen={opened.includes(entry.id)}
            toggle={() => {
              setOpened((now) =>
                now.includes(entry.id) ? now.filter((id) => id !== entry.id) : [...now, entry.id],
              );
            }}
          />
          {dateTime(entry.at)}
        </Group>
      ),
    },
    {
      header: text.who,
      narrow: 'below',
      isWhole: true,
      cell: (entry) => <ActorCell entry={entry} change={change} />,
    },
    { header: text.what, narrow: 'title', isWhole: true, cell: (entry) => <ActionCell entry={entry} /> },
    {
      header: text.subject,
      narrow: 'below',
      isWhole: true,
      cell: (entry) => (
        <Subject
          entry={entry}
          choose={(subject) => {
            change({ subject });
          }}
        />
      ),
    },
    {
      header: text.details,
      narrow: 'below',
      isFilling: true,
      cell: (entry) => <Details entry={entry} isOpen={opened.includes(entry.id)} />,
    },
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
          <Stack gap="sm" aria-busy={pages.isStale} opacity={pages.isStale ? 0.5 : undefined}>
            {entries.length > 0 && Object.keys(filter).length > 0 && (
              <ClearFilters
                clear={() => {
                  change(noFilters);
                }}
              />
            )}
            <DataTable
              caption={text.title}
              columns={columns}
              rows={entries}
              keyOf={({ id }) => id}
              empty={empty}
              pages={pages}
            />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}
