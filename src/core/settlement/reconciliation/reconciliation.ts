import { checkLeaseMs } from '../rules/check-schedule.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Database } from '../../../database/database.ts';
import { claimAbandoned, claimDue, type DueClaim, type DueKind, type DueRow } from '../store/due.ts';
import { abandonPayment } from '../../payments/store/payment-changes.ts';
import type { StatementImport } from '../../books/statement-import.ts';
import type { NotificationService } from '../notifications/psp-notifications.ts';
import type { RefundService } from '../../refunds/refunds.ts';
import type { Settlement } from '../settlement.ts';
import type { Sweeper } from '../sweep.ts';

/** Work whose outcome is unknown and has to be looked up at a PSP, item by item. */
export interface DueWork {
  kinds: readonly DueKind[];
  claim(kind: DueKind, claim: Omit<DueClaim, 'now' | 'leasedUntil'>): Promise<DueRow[]>;
  /** Returns whether there is more to do right away. Fails when the PSP does not respond. */
  settle(kind: DueKind, id: string): Promise<boolean>;
}

/**
 * One round over everything due, by the kinds that the command line prints. Each function returns how many items it handled.
 */
export type Reconciliation = Record<DueKind | 'abandoned_payment', (limit: number) => Promise<number>>;

interface Dependencies {
  db: Database;
  settlement: Settlement;
  refunds: RefundService;
  notifications: NotificationService;
  sweeper: Sweeper;
  statementImport: Pick<StatementImport, 'importNext'>;
  now: () => Date;
  logger: Logger;
}

export function createDueWork(dependencies: Omit<Dependencies, 'logger'>): DueWork {
  const { db, settlement, refunds, notifications, sweeper, statementImport, now } = dependencies;

  const works: Record<DueKind, (id: string) => Promise<boolean | void>> = {
    payment: (id) => settlement.checkPayment(id),
    late_payment: (id) => settlement.checkLatePayment(id),
    payment_attempt: (id) => settlement.settleLost(id),
    refund: (id) => refunds.settle(id),
    psp_notification: (id) => notifications.process(id),
    psp_sweep: (id) => sweeper.sweep(id),
    listed_charge: (id) => sweeper.lookUp(id),
    statement_day: (id) => statementImport.importNext(id),
  };

  return {
    kinds: Object.keys(works) as DueKind[],

    claim(kind, claim) {
      const leasedUntil = new Date(now().getTime() + checkLeaseMs);
      return claimDue(db, kind, { ...claim, now: now(), leasedUntil });
    },

    settle: async (kind, id) => (await works[kind](id)) === true,
  };
}

export function createReconciliation(
  work: DueWork,
  { db, now, logger }: Pick<Dependencies, 'db' | 'now' | 'logger'>,
): Reconciliation {
  /** Failures must not hold up other items; a failed one is retried once its lease runs out. */
  const settleDue =
    (kind: DueKind) =>
    async (limit: number): Promise<number> => {
      const rows = await work.claim(kind, { limit, slots: limit, slotsOf: new Map() });
      const settle = async ({ id }: DueRow) => {
        let isMore = true;
        while (isMore) isMore = await work.settle(kind, id);
      };
      await Promise.all(
        rows.map((row) =>
          settle(row).catch((error: unknown) => {
            logger.warn({ kind, id: row.id, error }, 'reconciliation failed, will retry');
          }),
        ),
      );
      return rows.length;
    };

  return {
    payment: settleDue('payment'),
    late_payment: settleDue('late_payment'),
    payment_attempt: settleDue('payment_attempt'),
    refund: settleDue('refund'),
    psp_notification: settleDue('psp_notification'),
    psp_sweep: settleDue('psp_sweep'),
    listed_charge: settleDue('listed_charge'),
    statement_day: settleDue('statement_day'),

    async abandoned_payment(limit) {
      const leasedUntil = new Date(now().getTime() + checkLeaseMs);
      const ids = await claimAbandoned(db, { now: now(), leasedUntil, limit });
      await Promise.all(ids.map((id) => abandonPayment(db, id, now())));
      return ids.length;
    },
  };
}
