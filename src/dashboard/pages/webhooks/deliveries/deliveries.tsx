import { Anchor, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DeliveryAttempts } from '../../../parts/deliveries/delivery-attempts.tsx';
import { isSendingSoon } from '../../../parts/deliveries/delivery-polling.ts';
import { ClearFilters, NoneLeft } from '../../../parts/empty-lists.tsx';
import { eventTexts } from '../../../parts/event-texts.ts';
import { ResendButton } from '../../../parts/deliveries/resend-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { type More, useLiveRefresh, useServicePages, useServiceQuery } from '../../../base/use-service.ts';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { paymentsUpdatedDocument } from '../../payments/documents.ts';
import { AttemptsToggle, type Delivery, StatusCell } from './delivery-cells.tsx';
import { DeliveryFilterBar, noDeliveryFilters } from './delivery-filters.tsx';
import {
  deliveriesDocument,
  endpointDocument,
  healthDocument,
  summariesDocument,
} from '../base/documents.ts';
import { outcomeOf } from '../base/failures.tsx';
import type { Endpoint } from '../base/endpoint-state.tsx';

const messages = texts(
  {
    caption: 'Entregas, eventos mais recentes primeiro',
    created: 'Criada em',
    event: 'Evento',
    payment: 'Pagamento',
    status: 'Status',
    attempts: 'Tentativas',
    none: 'Nenhuma entrega ainda',
    noneFiltered: 'Nenhuma entrega com estes filtros',
    searching: 'Nenhuma entre as últimas 2.000 verificadas. Pode haver outras mais antigas.',
    searchOn: 'Continuar a busca',
    noneAbout: 'Os próximos eventos aparecem aqui, com cada tentativa e a resposta do seu servidor.',
  },
  {
    caption: 'Deliveries, newest events first',
    created: 'Created',
    event: 'Event',
    payment: 'Payment',
    status: 'Status',
    attempts: 'Attempts',
    none: 'No deliveries yet',
    noneFiltered: 'No deliveries match these filters',
    searching: 'None among the last 2,000 checked. Older ones may match.',
    searchOn: 'Keep searching',
    noneAbout: 'Events appear here as they happen, with each attempt and your server’s response.',
  },
);

const summaryIntervalMs = 30_000;

/** Asks often while a delivery is due, now and then while one is scheduled. */
function refetchIntervalMs(deliveries: Delivery[]): number | false {
  if (isSendingSoon(deliveries)) return 2_000;
  return deliveries.some(({ nextAttemptAt }) => nextAttemptAt) && 20_000;
}

function useColumns(
  { enabled }: Endpoint,
  opened: readonly string[],
  toggle: (id: string) => void,
): Column<Delivery>[] {
  const text = useTexts(messages);
  const eventText = useTexts(eventTexts);
  const formats = useFormats();
  const { may } = useWorkplace();
  const subjectOf = ({ eventType, paymentId }: Delivery) => `${eventText[eventType]}, ${paymentId}`;
  return [
    {
      header: text.created,
      narrow: 'note',
      isWhole: true,
      cell: ({ createdAt }) => formats.dateTime(createdAt),
    },
    { header: text.event, narrow: 'title', cell: ({ eventType }) => eventText[eventType] },
    {
      header: text.payment,
      narrow: 'aside',
      isWhole: true,
      cell: ({ eventType, paymentId }) => (
        <Anchor
          component={Link}
          href={eventType.startsWith('ops_') ? '/health' : `/payments/${paymentId}`}
          size="sm"
        >
          {`…${paymentId.slice(-8)}`}
        </Anchor>
      ),
    },
    {
      header: text.status,
      narrow: 'mark',
      cell: (delivery) => <StatusCell delivery={delivery} isEndpointEnabled={enabled} />,
    },
    {
      header: text.attempts,
      narrow: 'foot',
      cell: (delivery) => (
        <AttemptsToggle
          delivery={delivery}
          isOpen={opened.includes(delivery.id)}
          subject={subjectOf(delivery)}
          onToggle={() => {
            toggle(delivery.id);
          }}
        />
      ),
    },
    ...(may('webhooks:resend')
      ? [
          {
            header: '',
            align: 'right' as const,
            narrow: 'end' as const,
            cell: (delivery: Delivery) => <ResendButton id={delivery.id} subject={subjectOf(delivery)} />,
          },
        ]
      : []),
  ];
}

function SearchOn({ more }: { more: More }) {
  const text = useTexts(messages);
  return (
    <Button variant="default" loading={more.isLoading} onClick={more.load}>
      {text.searchOn}
    </Button>
  );
}

export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const text = useTexts(messages);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [parameters] = useSearchParams();
  const [filters, setFilters] = useState({ ...noDeliveryFilters, cause: parameters.get('cause') });
  const { state, eventType, cause } = filters;
  const clear = () => {
    setFilters(noDeliveryFilters);
  };
  const isFiltered = state !== null || eventType !== null || cause !== null;
  const summaries = useServiceQuery(summariesDocument, {}, { refetchIntervalMs: summaryIntervalMs });
  const summary = summaries.data?.webhookEndpointSummaries.find(
    ({ endpointId }) => endpointId === endpoint.id,
  );
  const columns = useColumns(endpoint, opened, (id) => {
    setOpened(opened.includes(id) ? opened.filter((each) => each !== id) : [...opened, id]);
  });
  const pages = useServicePages(
    deliveriesDocument,
    {
      endpointId: endpoint.id,
      ...(isFiltered && { filter: { state, eventType, ...(cause !== null && outcomeOf(cause)) } }),
    },
    ({ webhookDeliveries }) => webhookDeliveries,
    { refetchIntervalMs },
  );
  useLiveRefresh(
    paymentsUpdatedDocument,
    {},
    { of: [deliveriesDocument, endpointDocument, healthDocument, summariesDocument] },
  );
  const none = isFiltered ? (
    pages.more ? (
      <EmptyState title={text.noneFiltered} action={<SearchOn more={pages.more} />}>
        {text.searching}
      </EmptyState>
    ) : (
      <NoneLeft title={text.noneFiltered} clear={clear} />
    )
  ) : (
    <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
  );
  return (
    <Stack gap="sm">
      <DeliveryFilterBar filters={filters} change={setFilters} failures={summary?.failures ?? []} />
      <QueryResult result={pages}>
        {(deliveries) => (
          <>
            {deliveries.length > 0 && isFiltered && <ClearFilters clear={clear} />}
            <DataTable
              caption={text.caption}
              columns={columns}
              rows={deliveries}
              keyOf={({ id }) => id}
              detail={({ id, attempts, nextAttemptAt }) =>
                opened.includes(id) && (
                  <DeliveryAttempts
                    id={id}
                    attempts={attempts}
                    nextAttemptAt={endpoint.enabled ? nextAttemptAt : null}
                  />
                )
              }
              empty={none}
              pages={{ more: pages.more, isFixed: true }}
            />
          </>
        )}
      </QueryResult>
    </Stack>
  );
}
