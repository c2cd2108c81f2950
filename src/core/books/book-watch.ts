import type { Metrics } from '../../observability/metrics.ts';
import { countOpenDifferences } from './store/differences.ts';
import type { Database } from '../../database/database.ts';

/** Looks after the books of all organizations. */
export interface BookWatch {
  /** Sets the metric, which every node reports for all organizations. */
  measure(): Promise<void>;
}

interface Dependencies {
  db: Database;
  metrics: Pick<Metrics, 'booksDiffer'>;
}

/** A greater number tells nothing more, and counting has a cost. */
const countedAtMost = 10_000;

export const createBookWatch = ({ db, metrics }: Dependencies): BookWatch => ({
  async measure() {
    metrics.booksDiffer(await countOpenDifferences(db, countedAtMost));
  },
});
