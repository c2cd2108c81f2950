import { Alert, Checkbox, Group, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { differenceKinds } from '../../../../core/books/rules/books.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useServicePages } from '../../../base/use-service.ts';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterSelect } from '../../../ui/inputs/filter-select.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { Section } from '../../../ui/page.tsx';
import {
  DifferenceActions,
  DifferenceNotes,
  DifferenceState,
  PixCell,
  Settlement,
  useDifferenceTitle,
} from './difference-cells.tsx';
import { kindTexts } from './difference-texts.ts';
import {
  type BookDay,
  type Difference,
  type DifferenceKind,
  differencesDocument,
} from '../base/documents.ts';
import { SettleTogether } from './settle-together.tsx';

const messages = texts(
  {
    differences: 'Divergências',
    kind: 'Tipo',
    anyKind: 'Todos os tipos',
    state: 'Status',
    anyState: 'Todos os status',
    states: { open: 'Em aberto', settled: 'Resolvidas' },
    bank: 'Extrato',
    own: 'No painel',
    difference: 'Diferença',
    pix: 'Pix',
    choose: (title: string) => `Selecionar: ${title}`,
    chooseAll: (count: number) => `Selecionar as em aberto (${count})`,
    onlyOwners: 'Somente proprietários podem resolver divergências.',
    none: 'Nenhuma divergência',
    noneFiltered: 'Nenhuma divergência com estes filtros',
    noneAbout: 'O extrato e os pagamentos deste dia conferem.',
  },
  {
    differences: 'Differences',
    kind: 'Kind',
    anyKind: 'All kinds',
    state: 'Status',
    anyState: 'All statuses',
    states: { open: 'Open', settled: 'Settled' },
    bank: 'Statement',
    own: 'Dashboard',
    difference: 'Difference',
    pix: 'Pix',
    choose: (title: string) => `Select: ${title}`,
    chooseAll: (count: number) => `Select the open ones (${count})`,
    onlyOwners: 'Only owners can settle differences.',
    none: 'No differences',
    noneFiltered: 'No differences match these filters',
    noneAbout: 'The statement and the payments of this day agree.',
  },
);

/** The service settles no more at once. */
const maximumChosen = 100;
const states = ['open', 'settled'] as const;

/** Exact, although amounts are in BRL. Null where neither side has an amount. */
const differenceOf = ({ amount, ownAmount }: Difference): number | null =>
  amount === null && ownAmount === null
    ? null
    : (Math.round((amount ?? 0) * 100) - Math.round((ownAmount ?? 0) * 100)) / 100;

interface Choice {
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], isChosen: boolean) => void;
}

function useColumns({ chosen, choose }: Choice): Column<Difference>[] {
  const text = useTexts(messages);
  const kinds = useTexts(kindTexts);
  const titleOf = useDifferenceTitle();
  const { money } = useFormats();
  const { may } = useWorkplace();
  const moneyOr = (amount: number | null) => (amount === null ? '—' : money(amount));
  const side = (label: string, amount: number | null) => (
    <>
      <Text span size="sm" c="dimmed" hiddenFrom="sm">{`${label}: `}</Text>
      {moneyOr(amount)}
    </>
  );
  return [
    {
      header: text.kind,
      narrow: 'title',
      cell: (difference) => {
        const { id, kind, state } = difference;
        return (
          <div>
            {state === 'open' && may('books:settle') ? (
              <Checkbox
                label={kinds[kind].title}
                aria-label={text.choose(titleOf(difference))}
                checked={chosen.has(id)}
                disabled={!chosen.has(id) && chosen.size >= maximumChosen}
                onChange={(event) => {
                  choose([id], event.currentTarget.checked);
                }}
              />
            ) : (
              kinds[kind].title
            )}
            <DifferenceNotes difference={difference} />
          </div>
        );
      },
    },
    {
      header: text.bank,
      align: 'right',
      isWhole: true,
      narrow: 'below',
      cell: ({ amount }) => side(text.bank, amount),
    },
    {
      header: text.own,
      align: 'right',
      isWhole: true,
      narrow: 'below',
      cell: ({ ownAmount }) => side(text.own, ownAmount),
    },
    {
      header: text.difference,
      align: 'right',
      isWhole: true,
      narrow: 'mark',
      cell: (difference) => <strong>{moneyOr(differenceOf(difference))}</strong>,
    },
    { header: text.pix, narrow: 'note', cell: (difference) => <PixCell difference={difference} /> },
    {
      header: text.state,
      narrow: 'aside',
      cell: (difference) => <DifferenceState difference={difference} />,
    },
    {
      header: '',
      align: 'right',
      narrow: 'below',
      cell: (difference) => <DifferenceActions difference={difference} />,
    },
  ];
}

/** What differs on a day, and what is decided about it. */
export function Differences({ day }: { day: BookDay }) {
  const text = useTexts(messages);
  const kinds = useTexts(kindTexts);
  const { may } = useWorkplace();
  const { credentialId, date } = day;
  const [kind, setKind] = useState<DifferenceKind | null>(null);
  const [state, setState] = useState<Difference['state'] | null>(null);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const pages = useServicePages(
    differencesDocument,
    { credentialId, date, kind, state },
    (read) => read.differences,
    { keepPrevious: true },
  );
  useDidUpdate(() => void pages.refetch(), [day.importedAt, day.openDifferences]);
  const open = pages.data?.filter((difference) => difference.state === 'open') ?? [];
  const chosen = open.filter(({ id }) => ids.has(id));
  const choose = (some: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen.map(({ id }) => id));
    for (const id of some)
      if (isChosen) next.add(id);
      else next.delete(id);
    setIds(next);
  };
  const all = open.slice(0, maximumChosen).map(({ id }) => id);
  const columns = useColumns({ chosen: new Set(chosen.map(({ id }) => id)), choose });
  const isFiltered = kind !== null || state !== null;
  return (
    <Section title={text.differences}>
      {!may('books:settle') && day.openDifferences > 0 && (
        <Alert color="gray" icon={<Info />}>
          {text.onlyOwners}
        </Alert>
      )}
      {day.openDifferences + day.settledDifferences > 0 && (
        <Group gap="sm">
          <FilterSelect
            label={text.kind}
            any={text.anyKind}
            value={kind}
            options={differenceKinds.map((value) => ({ value, label: kinds[value].title }))}
            onChange={setKind}
          />
          <FilterSelect
            label={text.state}
            any={text.anyState}
            value={state}
            options={states.map((value) => ({ value, label: text.states[value] }))}
            onChange={setState}
          />
          {may('books:settle') && all.length > 1 && (
            <Checkbox
              label={text.chooseAll(all.length)}
              checked={chosen.length >= all.length}
              indeterminate={chosen.length > 0 && chosen.length < all.length}
              onChange={(event) => {
                choose(all, event.currentTarget.checked);
              }}
            />
          )}
          <SettleTogether
            differences={chosen}
            clear={() => {
              setIds(new Set());
            }}
          />
        </Group>
      )}
      {kind && (
        <Text size="sm" maw={720}>
          {kinds[kind].about}
        </Text>
      )}
      <QueryResult result={pages}>
        {(differences) => (
          <DataTable
            caption={text.differences}
            columns={columns}
            rows={differences}
            keyOf={({ id }) => id}
            detail={({ settlement }) => settlement && <Settlement settlement={settlement} />}
            empty={
              <EmptyState title={isFiltered ? text.noneFiltered : text.none}>
                {!isFiltered && day.state === 'closed' && text.noneAbout}
              </EmptyState>
            }
            pages={{ more: pages.more, isFixed: true }}
          />
        )}
      </QueryResult>
    </Section>
  );
}
