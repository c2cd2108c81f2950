import type { Logger } from '../../observability/logger.ts';
import { insertAuditEntries, type NewAuditEntry } from './store/audit-entries.ts';
import type { Database } from '../../database/database.ts';

/** Takes entries for actions that change nothing, and so have no transaction to be written in. Never blocks. */
export interface AuditQueue {
  add(entries: readonly NewAuditEntry[]): void;
  /** Writes what is left; entries that cannot be written are lost. */
  drain(): Promise<void>;
}

interface Dependencies {
  db: Database;
  logger: Logger;
}

const batchSize = 100;
const maximumWaiting = 10_000;
const retryAfterMs = 1_000;

export function createAuditQueue({ db, logger }: Dependencies): AuditQueue {
  let waiting: NewAuditEntry[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function logLost(lost: number): void {
    if (lost > 0) logger.error({ lost }, 'audit entries lost: database unavailable');
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      await insertAuditEntries(db, batch);
      waiting = waiting.slice(batch.length);
    }
  }

  function startWriting(): Promise<void> {
    timer = undefined;
    writing ??= write()
      .catch((error: unknown) => {
        logger.warn({ error }, 'audit entries queued: database unavailable');
        timer = setTimeout(() => void startWriting(), retryAfterMs).unref();
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  return {
    add(entries) {
      waiting.push(...entries);
      logLost(waiting.length - maximumWaiting);
      if (waiting.length > maximumWaiting) waiting = waiting.slice(0, maximumWaiting);
      if (!timer) void startWriting();
    },

    async drain() {
      clearTimeout(timer);
      await writing;
      await startWriting();
      clearTimeout(timer);
      logLost(waiting.length);
    },
  };
}
