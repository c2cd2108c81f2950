import { Badge } from '@mantine/core';
import { type Texts, texts, useTexts } from '../../base/language.tsx';

interface Delivery {
  status: 'pending' | 'delivered' | 'exhausted';
  attemptCount: number;
}

type Shown = Delivery['status'] | 'retried' | 'held';

const messages: Texts<Record<Shown, string>> = texts(
  {
    pending: 'Na fila',
    retried: 'Tentando novamente',
    held: 'Endpoint desativado',
    delivered: 'Entregue',
    exhausted: 'Falhou',
  },
  {
    pending: 'Queued',
    retried: 'Retrying',
    held: 'Endpoint disabled',
    delivered: 'Delivered',
    exhausted: 'Failed',
  },
);

const colors: Record<Shown, string> = {
  pending: 'yellow',
  retried: 'orange',
  held: 'gray',
  delivered: 'teal',
  exhausted: 'red',
};

function shownOf({ status, attemptCount }: Delivery, isEndpointEnabled: boolean): Shown {
  if (status !== 'pending') return status;
  if (!isEndpointEnabled) return 'held';
  return attemptCount > 0 ? 'retried' : 'pending';
}

interface DeliveryStatusProps {
  delivery: Delivery;
  /** Disabled endpoints hold their deliveries. */
  isEndpointEnabled: boolean;
}

export function DeliveryStatus({ delivery, isEndpointEnabled }: DeliveryStatusProps) {
  const text = useTexts(messages);
  const shown = shownOf(delivery, isEndpointEnabled);
  return (
    <Badge variant="dot" color={colors[shown]} tt="none">
      {text[shown]}
    </Badge>
  );
}
