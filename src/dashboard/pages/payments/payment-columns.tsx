import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { BrowserLocationHook } from 'wouter/use-browser-location';
import type { ResultOf } from '../../api/graphql.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import type { paymentRow } from './documents.ts';
import type { ListState } from './list-path.ts';

const messages = texts(
  {
    created: 'Criado em',
    amount: 'Valor',
    status: 'Status',
    reference: 'Referência',
    payer: 'Pagador',
    provider: 'Provedor',
  },
  {
    created: 'Created',
    amount: 'Amount',
    status: 'Status',
    reference: 'Reference',
    payer: 'Payer',
    provider: 'Provider',
  },
);

type Row = ResultOf<typeof paymentRow>;

/** `listState`: the list that the payment page links back to. */
export function usePaymentColumns(listState?: ListState): Column<Row>[] {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const formats = useFormats();
  return [
    {
      header: text.created,
      narrow: 'note',
      cell: ({ id, createdAt }) => (
        <Anchor component={Link<BrowserLocationHook>} href={`/payments/${id}`} state={listState} size="sm">
          {formats.dateTime(createdAt)}
        </Anchor>
      ),
    },
    { header: text.amount, narrow: 'title', align: 'right', cell: ({ amount }) => formats.money(amount) },
    { header: text.status, narrow: 'mark', cell: ({ status }) => <PaymentStatus status={status} /> },
    {
      header: text.reference,
      narrow: 'aside',
      cell: ({ externalId }) => <ClippedText>{externalId}</ClippedText>,
    },
    { header: text.payer, cell: ({ payerName }) => <ClippedText>{payerName}</ClippedText> },
    { header: text.provider, cell: ({ provider }) => providerName(provider) },
  ];
}
