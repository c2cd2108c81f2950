import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { BrowserLocationHook } from 'wouter/use-browser-location';
import type { ResultOf } from '../../api/graphql.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { useFormats, useTexts } from '../../shell/language.tsx';
import { type ColumnName, columnNames, columnTexts, useColumnNames } from './column-choice.tsx';
import type { paymentRow } from './documents.ts';
import type { ListState } from './list-path.ts';

type Row = ResultOf<typeof paymentRow>;

/** Those that are chosen. `listState`: the list that the payment page links back to. */
export function usePaymentColumns(listState?: ListState): Column<Row>[] {
  const text = useTexts(columnTexts);
  const providerName = useProviderName();
  const formats = useFormats();
  const [names] = useColumnNames();
  const cells: Record<ColumnName, Omit<Column<Row>, 'header'>> = {
    amount: { narrow: 'title', align: 'right', cell: ({ amount }) => formats.money(amount) },
    status: { narrow: 'mark', cell: ({ status }) => <PaymentStatus status={status} /> },
    reference: { narrow: 'aside', cell: ({ externalId }) => <ClippedText>{externalId}</ClippedText> },
    payer: { cell: ({ payerName }) => <ClippedText>{payerName}</ClippedText> },
    provider: { cell: ({ provider }) => providerName(provider) },
    paid: { cell: ({ confirmedAt }) => (confirmedAt === null ? '—' : formats.dateTime(confirmedAt)) },
    description: { cell: ({ description }) => <ClippedText>{description}</ClippedText> },
    pix: { cell: ({ endToEndId }) => <ClippedText>{endToEndId}</ClippedText> },
  };
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
    ...columnNames
      .filter((name) => names.includes(name))
      .map((name) => ({ header: text[name], ...cells[name] })),
  ];
}
