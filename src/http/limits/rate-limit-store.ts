import { MemoryStore, type IncrementResponse, type Options, type Store } from 'express-rate-limit';
import type { Cluster, Redis } from 'ioredis';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import { guardRedis } from '../../redis/guard-redis.ts';

const PROBE_KEY = 'probe';

export interface RateLimitStoreOptions {
  /** Without Redis, requests are counted in memory. */
  redis?: Redis | undefined;
  prefix: string;
  /** Called once per loss, when counting moves to memory. */
  onRedisLost?: ((error: Error) => void) | undefined;
  onRedisRecovered?: (() => void) | undefined;
}

export interface RateLimitStore extends Store {
  /** Called by express-rate-limit before anything is counted. */
  init(options: Pick<Options, 'windowMs'>): void;
  increment(key: string): Promise<IncrementResponse>;
  /** Counts `cost` requests, a whole number of at least 1. */
  incrementBy(key: string, cost: number): Promise<IncrementResponse>;
  /** Stops probes and timers. The Redis client is not closed. */
  shutdown(): void;
}

/** Counts in Redis, or in memory while Redis is lost. Redis never makes it fail or slow it down. */
export function createRateLimitStore(options: RateLimitStoreOptions): RateLimitStore {
  const { redis, prefix, onRedisLost: onLost, onRedisRecovered: onRecovered } = options;
  const memory = new MemoryStore();
  const shared = redis && {
    redis,
    store: new RedisStore({ prefix, sendCommand: (...command) => send(redis, command) }),
    guard: guardRedis({ redis, onLost, onRecovered }),
  };

  function inRedisOr<T>(
    key: string,
    inMemory: () => T,
    inRedis: (store: RedisStore, redis: Redis) => Promise<T>,
  ): Promise<T> {
    if (!shared) return Promise.resolve(inMemory());
    return shared.guard.attempt(() => inRedis(shared.store, shared.redis), inMemory, key);
  }

  const incrementBy = (key: string, cost: number): Promise<IncrementResponse> =>
    inRedisOr(
      key,
      () => countInMemory(memory, key, cost),
      (store, redis) => countInRedis(store, redis, key, cost),
    );

  return {
    prefix,
    init({ windowMs }) {
      // Both stores read only this option.
      const limiterOptions = { windowMs } as Options;
      memory.init(limiterOptions);
      shared?.guard.start({
        // RedisStore does not recover from a failed init by itself.
        prepare: () => shared.store.init(limiterOptions),
        // Writes, because a read-only or full Redis still answers reads.
        use: (lostAt) => shared.store.increment(lostAt === undefined ? PROBE_KEY : `${lostAt}:${PROBE_KEY}`),
      });
    },
    incrementBy,
    increment: (key) => incrementBy(key, 1),
    decrement: (key) =>
      inRedisOr(
        key,
        () => void memory.decrement(key),
        (store) => store.decrement(key),
      ),
    resetKey(key) {
      void memory.resetKey(key);
      return inRedisOr(
        key,
        () => undefined,
        (store) => store.resetKey(key),
      );
    },
    shutdown() {
      shared?.guard.stop();
      memory.shutdown();
    },
  };
}

async function send(redis: Redis | Cluster, [name = '', ...args]: string[]): Promise<RedisReply> {
  // Any node of a cluster may be asked to run a loaded script, so all have to load it.
  if (name === 'SCRIPT' && 'nodes' in redis)
    return Promise.all(redis.nodes('master').map((node) => send(node, [name, ...args]))).then(
      ([sha]) => sha ?? '',
    );
  return redis.call(name, ...args) as Promise<RedisReply>;
}

/** The store counts one; the rest of the cost is added to the same window. */
async function countInRedis(
  store: RedisStore,
  redis: Redis,
  key: string,
  cost: number,
): Promise<IncrementResponse> {
  const counted = await store.increment(key);
  if (cost === 1) return counted;
  // If the window ends in between, a count without an expiry is left behind, which the next increment replaces.
  return { ...counted, totalHits: await redis.incrby(store.prefixKey(key), cost - 1) };
}

function countInMemory(memory: MemoryStore, key: string, cost: number): IncrementResponse {
  for (let hit = 0; hit < cost; hit++) void memory.increment(key);
  // Copied at once, because MemoryStore returns its live record, which the next request changes.
  const { totalHits = cost, resetTime } = memory.current.get(key) ?? {};
  return { totalHits, resetTime };
}
