import { tooManyRequests } from '../../core/base/errors.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** Adds `cost` to the window's count; fails with `rate_limit_exceeded` above the limit. */
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
