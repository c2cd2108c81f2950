import { Badge } from '@mantine/core';
import { type Texts, texts, useTexts } from '../shell/language.tsx';

interface Delivery {
  status: 'pending' | 'delivered' | 'exhausted';
  /** Attempts of its schedule so far. */
  attemptCount: number;
}

type Shown = Delivery['status'] | 'retried';

const said: Texts<Record<Shown, string>> = texts(
  { pending: 'Na fila', retried: 'Tentando de novo', delivered: 'Entregue', exhausted: 'Sem sucesso' },
  { pending: 'Queued', retried: 'Retrying', delivered: 'Delivered', exhausted: 'Given up' },
);

const colors: Record<Shown, string> = {
  pending: 'yellow',
  retried: 'orange',
  delivered: 'teal',
  exhausted: 'red',
};

export function DeliveryStatus({ status, attemptCount }: Delivery) {
  const text = useTexts(said);
  const shown = status === 'pending' && attemptCount > 0 ? 'retried' : status;
  return (
    <Badge variant="dot" color={colors[shown]} tt="none">
      {text[shown]}
    </Badge>
  );
}
