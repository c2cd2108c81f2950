import { checkLeaseMs } from '../rules/check-schedule.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Database } from '../../../database/database.ts';
import { claimAbandoned, type DueKind, type DueRow } from '../store/due.ts';
import { createDueClaims, type DueClaims } from './due-claims.ts';
import { abandonPayment } from '../../payments/store/payment-changes.ts';
import type { StatementImport } from '../../books/statement-import.ts';
import type { NotificationService } from '../notifications/psp-notifications.ts';
import type { RefundService } from '../../refunds/refunds.ts';
import type { Settlement } from '../settlement.ts';
import type { RecurrenceRunner } from '../../recurrences/recurrence-runner.ts';
import type { DisputeRunner } from '../../disputes/dispute-runner.ts';
import type { DisputeSweeper } from '../../disputes/dispute-sweep.ts';
import type { Sweeper } from '../sweep.ts';

/** Due work, item by item: what a PSP has to be asked about. */
export interface DueWork extends DueClaims {
  kinds: readonly DueKind[];
  /** Returns whether there is more to do right away. Fails when the PSP does not respond. */
  run(kind: DueKind, id: string): Promise<boolean>;
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
  recurrenceRunner: RecurrenceRunner;
  disputeRunner: DisputeRunner;
  disputeSweeper: Pick<DisputeSweeper, 'sweep'>;
  statementImport: Pick<StatementImport, 'importNext'>;
  now: () => Date;
  logger: Logger;
}

export function createDueWork(dependencies: Omit<Dependencies, 'logger'>): DueWork {
  const { db, settlement, refunds, notifications, recurrenceRunner, disputeRunner } = dependencies;
  const { disputeSweeper, sweeper, statementImport, now } = dependencies;

  const works: Record<DueKind, (id: string) => Promise<boolean | void>> = {
    payment: (id) => settlement.checkPayment(id),
    late_payment: (id) => settlement.checkLatePayment(id),
    payment_attempt: (id) => settlement.checkLostAttempt(id),
    refund: (id) => refunds.check(id),
    psp_notification: (id) => notifications.process(id),
    recurrence: (id) => recurrenceRunner.run(id),
    dispute: (id) => disputeRunner.run(id),
    dispute_sweep: (id) => disputeSweeper.sweep(id),
    psp_sweep: (id) => sweeper.sweep(id),
    listed_charge: (id) => sweeper.lookUp(id),
    statement_day: (id) => statementImport.importNext(id),
  };

  return {
    ...createDueClaims({ db, now }),
    kinds: Object.keys(works) as DueKind[],
    run: async (kind, id) => (await works[kind](id)) === true,
  };
}

export function createReconciliation(
  work: DueWork,
  { db, now, logger }: Pick<Dependencies, 'db' | 'now' | 'logger'>,
): Reconciliation {
  /** Failures must not hold up other items; a failed one is retried once its lease runs out. */
  const runDue =
    (kind: DueKind) =>
    async (limit: number): Promise<number> => {
      const rows = await work.claim(kind, { limit, slotsOf: () => limit });
      const runAll = async ({ id }: DueRow) => {
        let isMore = true;
        while (isMore) isMore = await work.run(kind, id);
      };
      await Promise.all(
        rows.map((row) =>
          runAll(row).catch((error: unknown) => {
            logger.warn({ kind, id: row.id, error }, 'reconciliation failed, will retry');
          }),
        ),
      );
      return rows.length;
    };

  return {
    payment: runDue('payment'),
    late_payment: runDue('late_payment'),
    payment_attempt: runDue('payment_attempt'),
    refund: runDue('refund'),
    psp_notification: runDue('psp_notification'),
    recurrence: runDue('recurrence'),
    dispute: runDue('dispute'),
    dispute_sweep: runDue('dispute_sweep'),
    psp_sweep: runDue('psp_sweep'),
    listed_charge: runDue('listed_charge'),
    statement_day: runDue('statement_day'),

    async abandoned_payment(limit) {
      const leasedUntil = new Date(now().getTime() + checkLeaseMs);
      const ids = await claimAbandoned(db, { now: now(), leasedUntil, limit });
      await Promise.all(ids.map((id) => abandonPayment(db, id, now())));
      return ids.length;
    },
  };
}
