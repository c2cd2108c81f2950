import { LRUCache } from 'lru-cache';
import { allCallers, type CallerChanges } from '../../base/caller-changes.ts';
import type { Database } from '../../../database/database.ts';
import type { RateLimits } from '../rules/rate-limits.ts';
import { findRateLimit } from '../store/api-keys.ts';

/** How many requests a minute a key may send, from a cache that follows changes on all nodes. */
export interface KeyLimits {
  of(key: { keyId: string; organizationId: string }): number | Promise<number>;
}

interface Dependencies {
  db: Database;
  changes: Pick<CallerChanges, 'subscribe'>;
  rateLimits: RateLimits;
  /** How long a limit may be served from the cache. */
  cacheMs: number;
}

interface Cached {
  limit: number;
  organizationId: string;
}

export function createKeyLimits({ db, changes, rateLimits, cacheMs }: Dependencies): KeyLimits {
  const { usual, maximum } = rateLimits;
  let generation = 0;
  const cache = new LRUCache<string, Cached, string>({
    max: 10_000,
    ttl: cacheMs,
    // Who waits for a limit that changes meanwhile still gets one.
    ignoreFetchAbort: true,
    async fetchMethod(keyId, _stale, { options, context: organizationId }) {
      const startedIn = generation;
      // The operator may have lowered the maximum since the limit was set.
      const limit = Math.min((await findRateLimit(db, keyId)) ?? usual, maximum);
      // A change announced during the lookup may be missing from its result.
      if (generation !== startedIn) options.ttl = 1;
      return { limit, organizationId };
    },
  });

  changes.subscribe((changed) => {
    generation += 1;
    const isChanged = ([keyId, { organizationId }]: [string, Cached]): boolean =>
      changed === allCallers || changed === keyId || changed === organizationId;
    const changedEntries = [...cache.entries()].filter(isChanged);
    for (const [keyId] of changedEntries) cache.delete(keyId);
  });

  return {
    of({ keyId, organizationId }) {
      const cached = cache.get(keyId);
      if (cached) return cached.limit;
      return cache.fetch(keyId, { context: organizationId }).then((found) => found?.limit ?? usual);
    },
  };
}
