import type { CallLedger } from './rules/call-ledger.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { addCallSums, noteAccountNews } from './store/call-sums.ts';

/** Stores what the calls to PSPs have shown, for all nodes to see. */
export interface CallRecorder {
  /** Drops what cannot be stored: it soon is out of date, and payments do not depend on it. */
  flush(): Promise<void>;
}

interface Dependencies {
  db: Database;
  ledger: Pick<CallLedger, 'take'>;
  logger: Logger;
}

export const createCallRecorder = ({ db, ledger, logger }: Dependencies): CallRecorder => ({
  async flush() {
    const { sums, accounts } = ledger.take();
    try {
      if (sums.length > 0) await addCallSums(db, sums);
      if (accounts.length > 0) await noteAccountNews(db, accounts);
    } catch (error) {
      logger.warn({ error, calls: sums.length }, 'sums of calls to providers were lost');
    }
  },
});
