import type { Metrics } from '../../observability/metrics.ts';
import type { Database } from '../../database/database.ts';
import { findServerState } from './store/server-state.ts';

/** What PostgreSQL says of itself: its connections, and whether its log is archived. */
export interface DatabaseWatch {
  measure(): Promise<void>;
}

interface Dependencies {
  db: Database;
  metrics: Pick<Metrics, 'databaseMeasured'>;
}

export const createDatabaseWatch = ({ db, metrics }: Dependencies): DatabaseWatch => ({
  async measure() {
    metrics.databaseMeasured(await findServerState(db));
  },
});
