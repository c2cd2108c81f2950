import type { Metrics } from '../../observability/metrics.ts';
import type { Database } from '../../database/database.ts';
import { dueKinds, longestDueOfProviders, longestDueSince } from '../settlement/store/due.ts';
import { longestDueDeliverySince } from '../webhooks/store/delivery-claims.ts';

/** How far workers are behind. */
export interface Backlog {
  /** Sets the metric. Every node with workers reports it for the whole service. */
  measure(): Promise<void>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  metrics: Pick<Metrics, 'setBacklog' | 'setProviderBacklog' | 'backlogMeasured'>;
}

export const createBacklog = ({ db, now, metrics }: Dependencies): Backlog => ({
  async measure() {
    const at = now();
    const report = (kind: string, since: Date | null) => {
      metrics.setBacklog(kind, since ? (at.getTime() - since.getTime()) / 1_000 : 0);
    };
    for (const kind of dueKinds) report(kind, await longestDueSince(db, kind, at));
    const overdue = await longestDueOfProviders(db, at);
    metrics.setProviderBacklog(
      overdue.map(({ provider, since }) => ({
        provider,
        seconds: (at.getTime() - since.getTime()) / 1_000,
      })),
    );
    report('webhook_delivery', await longestDueDeliverySince(db, at));
    metrics.backlogMeasured();
  },
});
