import type { Logger } from '../observability/logger.ts';
import type { Database } from '../persistence/database.ts';
import { claimDue, type DueKind } from '../persistence/due.ts';
import { abandonPayment } from '../persistence/settlement.ts';
import type { NotificationService } from './notifications.ts';
import type { RefundService } from './refunds.ts';
import type { Settlement } from './settlement.ts';

/** Asks about everything whose outcome is not known. Each round answers how many it took up. */
export type Reconciliation = Record<DueKind, (limit: number) => Promise<number>>;

interface Dependencies {
  db: Database;
  settlement: Settlement;
  refunds: RefundService;
  notifications: NotificationService;
  now: () => Date;
  logger: Logger;
}

/** Longer than any call to a PSP may take. */
const leaseMs = 30_000;

export function createReconciliation(dependencies: Dependencies): Reconciliation {
  const { db, settlement, refunds, notifications, now, logger } = dependencies;

  /** One that fails holds up no other: its lease runs out and it is taken again. */
  const each =
    (kind: DueKind, settle: (id: string) => Promise<void>) =>
    async (limit: number): Promise<number> => {
      const ids = await claimDue(db, kind, { now: now(), leaseMs, limit });
      await Promise.all(
        ids.map((id) =>
          settle(id).catch((error: unknown) => {
            logger.warn({ kind, id, error }, 'not reconciled yet');
          }),
        ),
      );
      return ids.length;
    };

  return {
    payment: each('payment', (id) => settlement.refresh(id)),
    abandoned_payment: each('abandoned_payment', (id) => abandonPayment(db, id, now())),
    payment_attempt: each('payment_attempt', (id) => settlement.settleLost(id)),
    refund: each('refund', (id) => refunds.settle(id)),
    psp_notification: each('psp_notification', (id) => notifications.process(id)),
  };
}
