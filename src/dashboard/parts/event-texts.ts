import { eventTypes, type EventType } from '../../domain/events.ts';
import { type Texts, texts } from '../shell/language.tsx';

export { eventTypes, type EventType };

export const eventTexts: Texts<Record<EventType, string>> = texts(
  {
    payment_completed: 'Pagamento confirmado',
    payment_expired: 'Pagamento expirado',
    payment_cancelled: 'Pagamento cancelado',
    payment_refunded: 'Pagamento estornado',
    payment_duplicated: 'Pago mais de uma vez',
    refund_completed: 'Estorno concluído',
    refund_failed: 'Estorno não realizado',
  },
  {
    payment_completed: 'Payment received',
    payment_expired: 'Payment expired',
    payment_cancelled: 'Payment cancelled',
    payment_refunded: 'Payment refunded',
    payment_duplicated: 'Paid more than once',
    refund_completed: 'Refund completed',
    refund_failed: 'Refund failed',
  },
);
