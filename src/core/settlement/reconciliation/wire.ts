import type { BookServices } from '../../books/wire.ts';
import type { DisputeServices } from '../../disputes/wire.ts';
import type { RecurrenceServices } from '../../recurrences/wire.ts';
import type { RefundServices } from '../../refunds/wire.ts';
import type { Base } from '../../wiring/base.ts';
import type { NotificationServices } from '../notifications/wire.ts';
import type { SettlementServices } from '../wire.ts';
import { createDueWork, createReconciliation } from './reconciliation.ts';

type Needs = SettlementServices &
  NotificationServices &
  RecurrenceServices &
  DisputeServices &
  BookServices &
  RefundServices;

/** Wired after the nouns whose work it finds. */
export function wireReconciliation(base: Base & Needs) {
  const dueWork = createDueWork(base);
  return { dueWork, reconciliation: createReconciliation(dueWork, base) };
}
