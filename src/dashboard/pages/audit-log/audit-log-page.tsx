import { Badge, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DateRangeInput } from '../../ui/date-range/date-range-input.tsx';
import { type DateRange, plusDays, startOfDay } from '../../ui/date-range/ranges.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { TypedText } from '../../ui/clipped-text.tsx';
import { texts, useFormats, useTexts, useTimeZone } from '../../shell/language.tsx';
import { useServicePages } from '../../shell/use-service.ts';
import { actionTexts } from './action-texts.ts';
import { Details } from './details.tsx';
import { type AuditEntry, auditLogDocument } from './documents.ts';
import { Subject } from './subject.tsx';

const messages = texts(
  {
    title: 'Auditoria',
    about:
      'Ações de pessoas, chaves de API e operadores do serviço, em teste e em produção. Os registros nunca são apagados.',
    at: 'Quando',
    who: 'Quem',
    operator: 'Operador do serviço',
    unknown: 'Desconhecido',
    kind: 'Mostrar',
    all: 'Tudo',
    changes: 'Alterações',
    sign_ins: 'Acessos',
    views: 'Pagadores',
    what: 'Ação',
    details: 'Detalhes',
    test: 'Teste',
    live: 'Produção',
    none: 'Nenhum registro',
  },
  {
    title: 'Audit log',
    about:
      'Actions by people, API keys and service operators, in test and live mode. Entries are never deleted.',
    at: 'When',
    who: 'Who',
    operator: 'Service operator',
    unknown: 'Unknown',
    kind: 'Show',
    all: 'All',
    changes: 'Changes',
    sign_ins: 'Sign-ins',
    views: 'Payer data',
    what: 'Action',
    details: 'Details',
    test: 'Test',
    live: 'Live',
    none: 'No entries',
  },
);

const kinds = ['all', 'changes', 'sign_ins', 'views'] as const;

type Kind = (typeof kinds)[number];

/** Other actions apply to both modes. */
const hasMode = (action: string): boolean => /^(payment|payer|webhook_)/.test(action);

function ActionCell({ entry }: { entry: AuditEntry }) {
  const text = useTexts(messages);
  const actions = useTexts(actionTexts);
  const mode = entry.details?.['mode'];
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={600}>
        {actions[entry.action] ?? entry.action}
      </Text>
      <Group gap={6}>
        <Code>{entry.action}</Code>
        {hasMode(entry.action) && (mode === 'test' || mode === 'live') && (
          <Badge size="sm" variant="light" color={mode === 'test' ? 'yellow' : 'teal'} tt="none">
            {text[mode]}
          </Badge>
        )}
        <Subject entry={entry} />
      </Group>
    </Stack>
  );
}

function useColumns(): Column<AuditEntry>[] {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  return [
    { header: text.at, cell: ({ at }) => dateTime(at) },
    {
      header: text.who,
      cell: ({ actor }) =>
        actor === 'operator' || actor === 'unknown' ? text[actor] : <TypedText>{actor}</TypedText>,
    },
    { header: text.what, cell: (entry) => <ActionCell entry={entry} /> },
    { header: text.details, cell: ({ details }) => <Details details={details} /> },
  ];
}

export default function AuditLogPage() {
  const text = useTexts(messages);
  const timeZone = useTimeZone();
  const columns = useColumns();
  const [kind, setKind] = useState<Kind>('all');
  const [days, setDays] = useState<DateRange>({ from: '', to: '' });
  const variables = {
    ...(kind !== 'all' && { kind }),
    ...(days.from && { from: startOfDay(days.from, timeZone) }),
    ...(days.to && { to: startOfDay(plusDays(days.to, 1), timeZone) }),
  };
  const pages = useServicePages(auditLogDocument, variables, ({ auditLog }) => auditLog);
  return (
    <Page title={text.title} about={text.about}>
      <Group align="flex-end">
        <SegmentedControl
          maw="100%"
          style={{ overflowX: 'auto' }}
          aria-label={text.kind}
          value={kind}
          onChange={(value) => {
            setKind(value as Kind);
          }}
          data={kinds.map((value) => ({ value, label: text[value] }))}
        />
        <DateRangeInput
          value={days}
          onChange={(range) => {
            setDays((now) => ({ ...now, ...range }));
          }}
          isClearable
        />
      </Group>
      <QueryResult result={pages}>
        {(entries) => (
          <DataTable
            caption={text.title}
            columns={columns}
            rows={entries}
            keyOf={({ id }) => id}
            empty={<EmptyState title={text.none} />}
            more={pages.more}
          />
        )}
      </QueryResult>
    </Page>
  );
}
