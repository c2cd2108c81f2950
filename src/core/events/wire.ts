import type { AuditServices } from '../audit/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createChangePayments } from './change-payments.ts';
import { createEventService } from './events.ts';
import type { PaymentHints } from './payment-hints.ts';

export type EventServices = ReturnType<typeof wireEvents>;

export const wireEvents = (base: Base & AuditServices & { hints: PaymentHints }) => ({
  hints: base.hints,
  changePayments: createChangePayments(base),
  events: createEventService(base),
});
