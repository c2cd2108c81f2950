import type { Redis } from 'ioredis';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { rateLimitWindowMs } from './rate-limit.ts';
import { createRateLimitStore, type RateLimitStore } from './rate-limit-store.ts';

export interface RateLimitStores {
  keys: RateLimitStore;
  addresses: RateLimitStore;
  signIns: RateLimitStore;
  /** Where requests are counted. */
  redis(): 'memory' | 'up' | 'down';
  shutdown(): void;
}

interface Dependencies {
  redis: Redis | undefined;
  logger: Logger;
  metrics: Metrics;
}

export function createRateLimitStores({ redis, logger, metrics }: Dependencies): RateLimitStores {
  /** Stores that cannot reach Redis now; each finds out by itself. */
  const lost = new Set<string>();
  metrics.redisIsUp(redis !== undefined);
  // What a cluster has in one place is reached or lost together. The names of keys say themselves where they are counted.
  const together = redis?.isCluster ? '{pix}' : 'pix';
  const countIn = (prefix: string): RateLimitStore => {
    return createRateLimitStore({
      redis,
      prefix,
      onRedisLost: (error) => {
        if (lost.size === 0) logger.warn({ error }, 'Redis lost: counting requests in memory');
        lost.add(prefix);
        metrics.redisIsUp(false);
      },
      onRedisRecovered: () => {
        lost.delete(prefix);
        if (lost.size > 0) return;
        metrics.redisIsUp(true);
        logger.info('Redis recovered: counting requests there again');
      },
    });
  };
  const keys = countIn('pix:key:');
  const addresses = countIn(`${together}:address:`);
  const signIns = countIn(`${together}:sign-in:`);
  // The limiter initialises the API key store.
  addresses.init({ windowMs: rateLimitWindowMs });
  signIns.init({ windowMs: rateLimitWindowMs });
  return {
    keys,
    addresses,
    signIns,
    redis: () => (!redis ? 'memory' : lost.size === 0 ? 'up' : 'down'),
    shutdown() {
      for (const store of [keys, addresses, signIns]) store.shutdown();
    },
  };
}
