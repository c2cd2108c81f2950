import { Group, Select } from '@mantine/core';
import { type DeliveryState, deliveryStates } from '../../../../core/webhooks/rules/webhook.ts';
import { eventTexts, type EndpointEventType, endpointEventTypes } from '../../../parts/event-texts.ts';
import { texts, useTexts } from '../../../base/language.tsx';
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
      <Select
        flex="1 1 180px"
        maw={260}
        aria-label={text.state}
        placeholder={text.anyState}
        clearable
        comboboxProps={{ keepMounted: false }}
        value={filters.state}
        data={deliveryStates.map((value) => ({ value, label: text.states[value] }))}
        onChange={(chosen) => {
          change({ ...filters, state: deliveryStates.find((state) => state === chosen) ?? null });
        }}
      />
      <Select
        flex="1 1 180px"
        maw={260}
        aria-label={text.event}
        placeholder={text.anyEvent}
        clearable
        comboboxProps={{ keepMounted: false }}
        value={filters.eventType}
        data={endpointEventTypes.map((value) => ({ value, label: eventText[value] }))}
        onChange={(chosen) => {
          change({ ...filters, eventType: endpointEventTypes.find((type) => type === chosen) ?? null });
        }}
      />
      {causes.length > 0 && (
        <Select
          flex="1 1 180px"
          maw={320}
          aria-label={text.cause}
          placeholder={text.anyCause}
          clearable
          comboboxProps={{ keepMounted: false }}
          value={cause}
          data={causes}
          onChange={(chosen) => {
            change({ ...filters, cause: chosen });
          }}
        />
      )}
    </Group>
  );
}
