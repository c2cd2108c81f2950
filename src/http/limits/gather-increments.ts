import type { Redis } from 'ioredis';
import type { RedisReply, SendCommandFn } from 'rate-limit-redis';
import { withRedisDeadline } from '../../redis/guard-redis.ts';

/** What rate-limit-redis runs for one hit of one key, for many of both: same keys, same fixed window. */
const COUNT_HITS = `
local totals = {}
for i, key in ipairs(KEYS) do
  local hits = ARGV[i + 1]
  local msToExpire = redis.call('PTTL', key)
  if msToExpire <= 0 then
    redis.call('SET', key, hits, 'PX', ARGV[1])
    totals[2 * i - 1] = tonumber(hits)
    totals[2 * i] = tonumber(ARGV[1])
  else
    totals[2 * i - 1] = redis.call('INCRBY', key, hits)
    totals[2 * i] = msToExpire
  end
end
return totals`;

/** A bare DECR after the window has ended would create a key that never expires. */
const TAKE_BACK = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('DECR', KEYS[1])
end
return 0`;

/** Increments made in one turn of the event loop. */
interface Batch {
  readonly windowMs: string;
  readonly keys: Map<string, { index: number; hits: number }>;
  /** For each key in order: its total after the batch, and the milliseconds until it expires. */
  readonly totals: Promise<number[]>;
}

/**
 * A `sendCommand` for RedisStore that sends all increments of an event-loop turn in one script call. Each
 * caller gets the total it would have seen alone.
 */
export function gatherIncrements(redis: Redis): SendCommandFn {
  let batch: Batch | undefined;

  function openBatch(windowMs: string): Batch {
    const keys: Batch['keys'] = new Map();
    const totals = new Promise<number[]>((resolve) => {
      setImmediate(() => {
        batch = undefined;
        resolve(withRedisDeadline(sendBatch(redis, windowMs, keys)));
      });
    });
    return { windowMs, keys, totals };
  }

  async function increment(key: string, windowMs: string): Promise<RedisReply> {
    batch ??= openBatch(windowMs);
    const { keys, totals } = batch;
    const entry = keys.get(key) ?? { index: keys.size, hits: 0 };
    keys.set(key, entry);
    const position = ++entry.hits;
    const [total = Number.NaN, msToExpire = Number.NaN] = (await totals).slice(
      2 * entry.index,
      2 * entry.index + 2,
    );
    return [total - entry.hits + position, msToExpire];
  }

  function send(command = '', ...args: string[]): Promise<unknown> {
    const [, , key, windowMs] = args;
    if (command === 'EVALSHA' && key !== undefined && windowMs !== undefined) return increment(key, windowMs);
    if (command === 'DECR') return withRedisDeadline(redis.eval(TAKE_BACK, args.length, ...args));
    if (command === 'DEL') return withRedisDeadline(redis.call(command, ...args));
    return redis.call(command, ...args);
  }

  return send as SendCommandFn;
}

/**
 * EVAL rather than EVALSHA: once per turn the script's text costs nothing, and a flushed script cache cannot
 * matter.
 */
function sendBatch(redis: Redis, windowMs: string, keys: Batch['keys']): Promise<number[]> {
  const hits = Array.from(keys.values(), (entry) => entry.hits);
  return redis.eval(COUNT_HITS, keys.size, ...keys.keys(), windowMs, ...hits) as Promise<number[]>;
}
