import { Group, Select } from '@mantine/core';
import { type DeliveryState, deliveryStates } from '../../../core/webhooks/rules/webhook.ts';
import { eventTexts, type EndpointEventType, endpointEventTypes } from '../../parts/event-texts.ts';
import { texts, useTexts } from '../../base/language.tsx';

export interface DeliveryFilters {
  state: DeliveryState | null;
  eventType: EndpointEventType | null;
}

export const noDeliveryFilters: DeliveryFilters = { state: null, eventType: null };

const messages = texts(
  {
    state: 'Status',
    anyState: 'Todos os status',
    event: 'Evento',
    anyEvent: 'Todos os eventos',
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
}

export function DeliveryFilterBar({ filters, change }: DeliveryFilterBarProps) {
  const text = useTexts(messages);
  const eventText = useTexts(eventTexts);
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
    </Group>
  );
}
