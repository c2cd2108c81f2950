import type { Metrics } from '../../observability/metrics.ts';
import type { Database } from '../../database/database.ts';
import { refundPendingReasons } from './rules/refund.ts';
import { countStuckRefunds } from './store/refunds.ts';

/** Looks after the refunds of all organizations. */
export interface RefundWatch {
  /** Sets the metric, which every node with workers reports for all organizations. */
  measure(): Promise<void>;
}

interface Dependencies {
  db: Database;
  metrics: Pick<Metrics, 'refundsStuck'>;
}

/** A greater number tells nothing more, and counting has a cost. */
const countedAtMost = 10_000;

export const createRefundWatch = ({ db, metrics }: Dependencies): RefundWatch => ({
  async measure() {
    const counts = await countStuckRefunds(db, countedAtMost);
    for (const reason of refundPendingReasons) metrics.refundsStuck(reason, counts.get(reason) ?? 0);
  },
});
