import { bulkhead } from 'cockatiel';
import type { CheckReason } from '../../core/providers/rules/check-reasons.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { Unexpected, Untried, withUnreadResponse } from './failures.ts';
import type { Operation } from '../../core/providers/rules/map-adapter.ts';
import { type Call, operations } from './operations.ts';

export interface Bounds {
  /** Overrides the timeout of every operation. */
  timeoutMs?: number;
  /** Concurrent calls per credential, and how many may wait. Creates have one such limit, everything else another. */
  concurrency: number;
  queue: number;
}

/** Runs calls with a timeout, and only so many at once. */
export function createBounded({ timeoutMs: everyTimeoutMs, concurrency, queue }: Bounds) {
  // Separate, so that a burst of queries cannot crowd out creates.
  const creates = bulkhead(concurrency, queue);
  const others = bulkhead(concurrency, queue);

  /** Fails once the call times out or is aborted. */
  return async <T>(operation: Operation, call: Call<T>, outer: AbortSignal): Promise<T> => {
    const timeoutMs = everyTimeoutMs ?? operations[operation].timeoutMs;
    const deadline = new AbortController();
    let hasStarted = false;
    const failed = (text: string, reason?: CheckReason) =>
      new PspError(hasStarted ? 'unknown' : 'not_sent', text, { reason });
    return new Promise<T>((resolve, reject) => {
      const giveUp = (error: Error) => {
        reject(error);
        deadline.abort();
      };
      const onAbort = () => {
        giveUp(new Untried(failed('the call was aborted before the provider responded')));
      };
      const timer = setTimeout(() => {
        const error = failed(`the provider did not respond within ${timeoutMs} ms`, 'unreachable');
        giveUp(hasStarted ? error : new Untried(error));
      }, timeoutMs);
      if (outer.aborted) onAbort();
      outer.addEventListener('abort', onAbort, { once: true });
      (operation === 'createCharge' ? creates : others)
        .execute(async () => {
          hasStarted = true;
          try {
            return await call(deadline.signal);
          } catch (error) {
            const { signal } = deadline;
            throw error instanceof PspError
              ? withUnreadResponse(error, signal)
              : new Unexpected(error, signal);
          }
        }, deadline.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          outer.removeEventListener('abort', onAbort);
        });
    });
  };
}
