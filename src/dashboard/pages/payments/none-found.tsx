import { Anchor, Text } from '@mantine/core';
import { Link, useSearch } from 'wouter';
import { NoneLeft } from '../../parts/empty-lists.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { foundElsewhereDocument } from './documents.ts';
import type { paymentFilterOf } from './use-filters.ts';

const messages = texts(
  {
    notFound: 'Nenhum resultado',
    searched:
      'A busca compara o começo de cada palavra: nome, e-mail, CPF/CNPJ e telefone do pagador, partes da referência. IDs, códigos Pix e valores precisam estar completos.',
    searchedByViewer:
      'A busca compara o começo de cada parte da referência. IDs, códigos Pix e valores precisam estar completos.',
    elsewhere: { test: 'Há resultados em teste.', live: 'Há resultados em produção.' },
    goThere: { test: 'Buscar em teste', live: 'Buscar em produção' },
  },
  {
    notFound: 'No results',
    searched:
      "Search compares the beginning of each word: the payer's name, e-mail, CPF/CNPJ and phone, parts of the reference. IDs, Pix codes and amounts must be complete.",
    searchedByViewer:
      'Search compares the beginning of each part of the reference. IDs, Pix codes and amounts must be complete.',
    elsewhere: { test: 'There are results in test mode.', live: 'There are results in live mode.' },
    goThere: { test: 'Search in test mode', live: 'Search in live mode' },
  },
);

type Filter = ReturnType<typeof paymentFilterOf>;

/** Whoever searches in the wrong mode is led to the other one. */
function FoundElsewhere({ filter }: { filter: Filter }) {
  const text = useTexts(messages);
  const { organizationId, mode } = useWorkplace();
  const search = useSearch();
  const other = mode === 'test' ? 'live' : 'test';
  const { data } = useServiceQuery(foundElsewhereDocument, { filter }, { mode: other });
  if (!data?.payments.edges.length) return null;
  return (
    <Text span display="block" mt="xs" inherit>
      {text.elsewhere[other]}{' '}
      <Anchor
        component={Link}
        href={`~/dashboard${workplacePath({ organizationId, mode: other })}/payments?${search}`}
        inherit
        underline="always"
      >
        {text.goThere[other]}
      </Anchor>
    </Text>
  );
}

export function NoneFound({ filter, clear }: { filter: Filter; clear: () => void }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  return (
    <NoneLeft title={text.notFound} clear={clear}>
      {may('payers:read') ? text.searched : text.searchedByViewer}
      <FoundElsewhere filter={filter} />
    </NoneLeft>
  );
}
