import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';

/** Retries for a few seconds while the report queue is full. */
export async function withRetries<T>(read: () => Promise<T>, triesLeft = 5): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unavailable) || triesLeft === 0) throw error;
    await delay(1_000);
    return withRetries(read, triesLeft - 1);
  }
}
