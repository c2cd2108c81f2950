import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import { useLiveRefresh, useServicePages } from '../../base/use-service.ts';
import { ClearFilters, NoneLeft } from '../../parts/empty-lists.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { ClippedText, WideDash } from '../../ui/clipped-text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { type RefundRow, refundsDocument } from './documents.ts';
import { RefundState } from './refund-state.tsx';
import { noFilters, refundFilterOf, RefundFilters, useFilters } from './refund-filters.tsx';

const messages = texts(
  {
    title: 'Estornos',
    about: 'Estornos de todos os pagamentos, solicitados na página de cada um.',
    caption: 'Estornos, do mais novo ao mais antigo',
    at: 'Solicitado em',
    amount: 'Valor',
    status: 'Status',
    reference: 'Referência',
    payer: 'Pagador',
    by: 'Solicitado por',
    operator: 'Operador do serviço',
    none: 'Nenhum estorno ainda',
    noneAbout: 'Um pagamento recebido é estornado na página dele, por inteiro ou em parte.',
    filtered: 'Nenhum estorno com estes filtros',
  },
  {
    title: 'Refunds',
    about: 'Refunds of all payments, requested on the page of each.',
    caption: 'Refunds, newest first',
    at: 'Requested',
    amount: 'Amount',
    status: 'Status',
    reference: 'Reference',
    payer: 'Payer',
    by: 'Requested by',
    operator: 'Service operator',
    none: 'No refunds yet',
    noneAbout: 'A paid payment is refunded on its page, in full or in part.',
    filtered: 'No refunds match these filters',
  },
);

const throttleMs = 5_000;

function useColumns(): Column<RefundRow>[] {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  return [
    {
      header: text.at,
      narrow: 'note',
      isWhole: true,
      cell: ({ paymentId, createdAt }) => (
        <Anchor component={Link} href={`/payments/${paymentId}`} size="sm">
          {dateTime(createdAt)}
        </Anchor>
      ),
    },
    { header: text.amount, narrow: 'title', align: 'right', cell: ({ amount }) => money(amount) },
    { header: text.status, narrow: 'mark', cell: (refund) => <RefundState {...refund} /> },
    {
      header: text.reference,
      narrow: 'aside',
      cell: ({ payment }) => <ClippedText>{payment.externalId}</ClippedText>,
    },
    {
      header: text.payer,
      narrow: 'below',
      cell: ({ payment: { payerName } }) =>
        payerName === null ? <WideDash /> : <ClippedText>{payerName}</ClippedText>,
    },
    {
      header: text.by,
      narrow: 'below',
      cell: ({ requestedBy }) => (
        <>
          <Text span size="sm" c="dimmed" hiddenFrom="sm">{`${text.by}: `}</Text>
          <ClippedText>{requestedBy === 'operator' ? text.operator : requestedBy}</ClippedText>
        </>
      ),
    },
  ];
}

export default function RefundsPage() {
  const text = useTexts(messages);
  const columns = useColumns();
  const { filters, change } = useFilters();
  const filter = refundFilterOf(filters, useTimeZone());
  const isFiltered = Object.keys(filter).length > 0;
  const pages = useServicePages(refundsDocument, { filter }, ({ refunds }) => refunds, {
    keepPrevious: true,
  });
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: [refundsDocument], throttleMs });
  const parameters = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const clear = () => {
    change(noFilters);
  };
  const empty = isFiltered ? (
    <NoneLeft title={text.filtered} clear={clear} />
  ) : (
    <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
  );
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={<ExportButton file="refunds" parameters={parameters} />}
    >
      <RefundFilters filters={filters} change={change} />
      <QueryResult result={pages}>
        {(refunds) => (
          <Stack gap="sm" aria-busy={pages.isStale} opacity={pages.isStale ? 0.5 : undefined}>
            {isFiltered && refunds.length > 0 && <ClearFilters clear={clear} />}
            <DataTable
              caption={text.caption}
              columns={columns}
              rows={refunds}
              keyOf={({ id }) => id}
              isLinked
              empty={empty}
              pages={pages}
            />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}
