import { z } from 'zod';

/** Requests a minute. */
export interface RateLimits {
  /** What a key may send if neither it nor its organization has another limit. */
  usual: number;
  /** The most that the operator lets an organization allow. */
  maximum: number;
}

export function rateLimitSchema({ maximum }: RateLimits) {
  const rule = `must be a whole number from 1 to ${maximum}`;
  return z.number({ error: rule }).int(rule).min(1, rule).max(maximum, rule);
}
