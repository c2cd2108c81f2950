import type { AuditServices } from '../audit/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createChangePayments } from './change-payments.ts';
import { createEventService } from './events.ts';
import { createEventNumbering } from './number-events.ts';
import type { PaymentHints } from './payment-hints.ts';

export type EventServices = ReturnType<typeof wireEvents>;

export function wireEvents(base: Base & AuditServices & { hints: PaymentHints }) {
  const eventNumbering = createEventNumbering(base);
  return {
    hints: base.hints,
    eventNumbering,
    changePayments: createChangePayments({ ...base, numbering: eventNumbering }),
    events: createEventService(base),
  };
}
