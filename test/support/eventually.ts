import { setTimeout as delay } from 'node:timers/promises';

/** Tries again until the check passes; its last failure is thrown when the time is over. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await delay(10);
    }
  }
}
