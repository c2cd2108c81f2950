import { z } from 'zod';
import type { Reply } from './psp.ts';

export const quota = z.strictObject({
  /** How many requests are taken in a window, which starts with the first of them. */
  requests: z.int().nonnegative(),
  windowSeconds: z.number().positive().default(60),
  /** How a 429 tells when the window ends. */
  says: z.enum(['retry_after', 'retry_date', 'reset', 'reset_epoch', 'nothing']).default('retry_after'),
});

type Says = z.output<typeof quota>['says'];

/** Requests that the PSP takes from an account before it returns 429. Unlimited until set. */
export interface Quota {
  set(next: z.input<typeof quota>): void;
  clear(): void;
  /** The 429 for a request too many. */
  refuse(): Reply | undefined;
  /** How many requests were refused. */
  refusedCount(): number;
}

const headersOf: Record<Says, (endsAtMs: number, nowMs: number) => Record<string, string>> = {
  retry_after: (endsAt, now) => ({ 'retry-after': String(Math.ceil((endsAt - now) / 1_000)) }),
  retry_date: (endsAt) => ({ 'retry-after': new Date(Math.ceil(endsAt / 1_000) * 1_000).toUTCString() }),
  reset: (endsAt, now) => ({
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(Math.ceil((endsAt - now) / 1_000)),
  }),
  reset_epoch: (endsAt) => ({ 'ratelimit-reset': String(Math.ceil(endsAt / 1_000)) }),
  nothing: () => ({}),
};

export function createQuota(now: () => Date): Quota {
  let rule: z.output<typeof quota> | undefined;
  let endsAtMs = 0;
  let left = 0;
  let refused = 0;
  return {
    set(next) {
      rule = quota.parse(next);
      endsAtMs = 0;
    },
    clear() {
      rule = undefined;
    },
    refuse() {
      if (!rule) return undefined;
      const nowMs = now().getTime();
      if (nowMs >= endsAtMs) {
        endsAtMs = nowMs + rule.windowSeconds * 1_000;
        left = rule.requests;
      }
      if (left > 0) {
        left -= 1;
        return undefined;
      }
      refused += 1;
      const date = new Date(nowMs).toUTCString();
      return { status: 429, headers: { date, ...headersOf[rule.says](endsAtMs, nowMs) } };
    },
    refusedCount: () => refused,
  };
}
