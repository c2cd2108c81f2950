import type { CallerChanges } from '../base/caller-changes.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { KeyRing } from '../encryption/rules/envelope.ts';
import type { Database } from '../../database/database.ts';
import type { ReadSource } from '../../database/read-source.ts';
import type { Reports } from '../../database/reports.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Tracing } from '../../observability/tracing.ts';

/** What the services of every noun may depend on. */
export interface Base {
  db: Database;
  /** For lists. */
  lists: ReadSource;
  reports: Reports;
  callerChanges: CallerChanges;
  keyRing: KeyRing;
  publicUrl: string;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  /** The database's clock, used for every decision that other nodes can see. */
  now: () => Date;
  testClocks: TestClocks;
}
