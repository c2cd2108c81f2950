import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils';
import { isLost, isUnexecuted } from './unavailable.ts';

const maximumAttempts = 3;

/** A read changes nothing, however often it runs. A statement that begins with WITH may contain a write. */
const isRead = ({ sql }: SqlQuery): boolean => /^\s*select\b/i.test(sql);

async function tryAgain<T>(work: () => Promise<T>, isRepeatable: boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isSafe = isUnexecuted(error) || (isRepeatable && isLost(error));
      if (!isSafe || attempt === maximumAttempts) throw error;
      // Other connections to the same server have ended as well, which is only noticed in the next turn.
      await nextTurn();
    }
  }
}

/** Repeats on another connection whatever has certainly not been done, or may be done twice. */
export function tryAgainWhereSafe(adapter: SqlDriverAdapter): void {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.queryRaw = (query) => tryAgain(() => queryRaw(query), isRead(query));
  adapter.executeRaw = (query) => tryAgain(() => executeRaw(query), isRead(query));
  // Nothing has happened in a transaction that could not begin.
  adapter.startTransaction = (isolationLevel) => tryAgain(() => startTransaction(isolationLevel), true);
}
