import { createSlidingWindow, type SlidingWindow } from '../../base/pacing/sliding-window.ts';

/** A provider's limit on the requests of one account. */
export interface RequestQuota {
  requests: number;
  windowSeconds: number;
  /** The only method that the quota limits; all when absent. */
  method?: 'GET';
}

/**
 * Requests that nobody waits for: looks at pending payments, the ends of expired ones, and sweeps over all received money,
 * which find the most.
 */
export type Polling = 'look' | 'expiry' | 'sweep';

/** The share of a quota at which each stops, so that creates and confirmations find the rest. */
export const pollingShares: Record<Polling, number> = { look: 0.8, expiry: 0.95, sweep: 0.98 };

export const pollingLimit = ({ requests }: RequestQuota, polling: Polling): number =>
  Math.floor(requests * pollingShares[polling]);

/** The requests that an account made within its window. */
export interface CountedRequests {
  used: number;
  /** How long until the window has room for a request that was not granted. */
  msUntilFree: number;
}

export interface TakenRequest extends CountedRequests {
  isGranted: boolean;
}

/** Counts the requests of accounts within sliding windows. */
export interface RequestCounts {
  /** Counts requests that are made in any case. Nobody waits for the sum, so it may come later. Never fails. */
  add(account: string, windowSeconds: number, count: number): Promise<CountedRequests>;
  /** Counts one more if fewer than `limit` were counted. */
  take(account: string, windowSeconds: number, limit: number): Promise<TakenRequest>;
}

export interface OwnRequestCounts extends RequestCounts {
  addNow(account: string, windowSeconds: number, count: number): CountedRequests;
  read(account: string, windowSeconds: number): CountedRequests;
  takeNow(account: string, windowSeconds: number, limit: number): TakenRequest;
}

export function createRequestCounts(now: () => Date): OwnRequestCounts {
  const windows = new Map<string, SlidingWindow>();

  function windowOf(account: string, windowSeconds: number): SlidingWindow {
    const name = `${account} ${windowSeconds}`;
    const known = windows.get(name) ?? createSlidingWindow(windowSeconds * 1_000);
    windows.set(name, known);
    return known;
  }

  function read(account: string, windowSeconds: number): CountedRequests {
    const window = windowOf(account, windowSeconds);
    return { used: window.sum(now()), msUntilFree: window.msUntilLess(now()) };
  }

  function addNow(account: string, windowSeconds: number, count: number): CountedRequests {
    windowOf(account, windowSeconds).add(count, now());
    return read(account, windowSeconds);
  }

  function takeNow(account: string, windowSeconds: number, limit: number): TakenRequest {
    const counted = read(account, windowSeconds);
    if (counted.used >= limit) return { isGranted: false, ...counted };
    return { isGranted: true, ...addNow(account, windowSeconds, 1) };
  }

  return {
    addNow,
    read,
    takeNow,
    add: (...requests) => Promise.resolve(addNow(...requests)),
    take: (...request) => Promise.resolve(takeNow(...request)),
  };
}
