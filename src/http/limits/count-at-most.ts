import { tooManyRequests } from '../../domain/errors.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** Counts one more, or as many as it costs; beyond the limit of a window it fails with a 429. */
export async function countAtMost(
  store: RateLimitStore,
  limit: number,
  name: string,
  cost = 1,
): Promise<void> {
  const { totalHits, resetTime } = await store.incrementBy(name, cost);
  if (totalHits <= limit) return;
  throw tooManyRequests(Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000)));
}
