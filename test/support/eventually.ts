import { setTimeout as delay } from 'node:timers/promises';

/**
 * Tries again until the check passes, ever more rarely, as checks take time from what they wait for; its last failure is
 * thrown when the time is over.
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waitedMs = Date.now() - startedAt;
      if (waitedMs > withinMs) throw error;
      await delay(Math.min(10 + waitedMs / 10, 100));
    }
  }
}
