import { Group } from '@mantine/core';
import { type DeliveryState, deliveryStates } from '../../../../core/webhooks/rules/webhook.ts';
import { eventTexts, type EndpointEventType, endpointEventTypes } from '../../../parts/event-texts.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { FilterSelect } from '../../../ui/inputs/filter-select.tsx';
import type { Summary } from '../base/documents.ts';
import { causeOf, outcomeOf, useFailureText } from '../base/failures.tsx';

export interface DeliveryFilters {
  state: DeliveryState | null;
  eventType: EndpointEventType | null;
  /** Has the form that `causeOf` writes. */
  cause: string | null;
}

export const noDeliveryFilters: DeliveryFilters = { state: null, eventType: null, cause: null };

const messages = texts(
  {
    state: 'Status',
    anyState: 'Todos os status',
    event: 'Evento',
    anyEvent: 'Todos os eventos',
    cause: 'Causa da falha',
    anyCause: 'Todas as causas',
    states: {
      queued: 'Na fila',
      retrying: 'Tentando novamente',
      exhausted: 'Falhou',
      undelivered: 'Com falha (todas)',
      delivered: 'Entregue',
    },
  },
  {
    state: 'Status',
    anyState: 'All statuses',
    event: 'Event',
    anyEvent: 'All events',
    cause: 'Cause of failure',
    anyCause: 'All causes',
    states: {
      queued: 'Queued',
      retrying: 'Retrying',
      exhausted: 'Failed',
      undelivered: 'Retrying or failed',
      delivered: 'Delivered',
    },
  },
);

interface DeliveryFilterBarProps {
  filters: DeliveryFilters;
  change: (filters: DeliveryFilters) => void;
  /** What failed most comes first. */
  failures: Summary['failures'];
}

export function DeliveryFilterBar({ filters, change, failures }: DeliveryFilterBarProps) {
  const text = useTexts(messages);
  const eventText = useTexts(eventTexts);
  const failureText = useFailureText();
  const causes = failures.map((failure) => ({ value: causeOf(failure), label: failureText(failure) }));
  const { cause } = filters;
  if (cause !== null && !causes.some(({ value }) => value === cause))
    causes.push({ value: cause, label: failureText(outcomeOf(cause)) });
  return (
    <Group gap="sm">
      <FilterSelect
        label={text.state}
        any={text.anyState}
        value={filters.state}
        options={deliveryStates.map((value) => ({ value, label: text.states[value] }))}
        onChange={(state) => {
          change({ ...filters, state });
        }}
      />
      <FilterSelect
        label={text.event}
        any={text.anyEvent}
        value={filters.eventType}
        options={endpointEventTypes.map((value) => ({ value, label: eventText[value] }))}
        onChange={(eventType) => {
          change({ ...filters, eventType });
        }}
      />
      {causes.length > 0 && (
        <FilterSelect
          label={text.cause}
          any={text.anyCause}
          value={cause}
          options={causes}
          onChange={(chosen) => {
            change({ ...filters, cause: chosen });
          }}
        />
      )}
    </Group>
  );
}
