import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type {
  CountedRequests,
  OwnRequestCounts,
  RequestCounts,
  TakenRequest,
} from '../core/providers/rules/request-quota.ts';
import { slicesPerWindow } from '../core/base/pacing/sliding-window.ts';
import { guardRedis } from './guard-redis.ts';

/**
 * The sliding window of src/core/base/pacing/sliding-window.ts, by the clock of Redis. Adds ARGV[3] in any case, then one more
 * if fewer than ARGV[4] were counted. Returns whether it did, the sum, and the milliseconds until the oldest slice ends.
 */
const COUNT = `
local sliceMs, slices = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local current = math.floor(nowMs / sliceMs)
local used, oldest = tonumber(ARGV[3]), current
local counts = redis.call('HGETALL', KEYS[1])
for i = 1, #counts, 2 do
  local slice = tonumber(counts[i])
  if slice < current - slices then
    redis.call('HDEL', KEYS[1], counts[i])
  else
    used = used + tonumber(counts[i + 1])
    oldest = math.min(oldest, slice)
  end
end
local granted = used < tonumber(ARGV[4]) and 1 or 0
local added = tonumber(ARGV[3]) + granted
if added > 0 then
  redis.call('HINCRBY', KEYS[1], current, added)
  redis.call('PEXPIRE', KEYS[1], math.ceil(sliceMs * (slices + 1)))
end
return {granted, used + granted, math.ceil((oldest + slices + 1) * sliceMs - nowMs)}`;

const keyOf = (account: string, windowSeconds: number): string => `pix:psp:${account}:${windowSeconds}`;

/** Other nodes may learn of creates and confirmations this much later. */
const addAfterMs = 100;

interface Dependencies {
  redis: Redis;
  /** Counts along, and alone while Redis is lost. */
  own: OwnRequestCounts;
  onLost: (error: Error) => void;
  onRecovered: () => void;
}

/** What this process has yet to add to a key. */
interface Unsent {
  count: number;
  sent: Promise<CountedRequests>;
}

/** Counts the requests of all nodes. Never fails or becomes slow because of Redis. */
export function createSharedRequestCounts({ redis, own, onLost, onRecovered }: Dependencies) {
  const guard = guardRedis({ redis, onLost, onRecovered });
  const unsent = new Map<string, Unsent>();

  async function count(key: string, windowSeconds: number, limit: number): Promise<TakenRequest> {
    const added = unsent.get(key)?.count ?? 0;
    unsent.delete(key);
    const sliceMs = (windowSeconds * 1_000) / slicesPerWindow;
    const reply = redis.eval(COUNT, 1, key, sliceMs, slicesPerWindow, added, limit) as Promise<number[]>;
    const [granted = 0, used = 0, msUntilFree = 0] = await reply;
    return { isGranted: granted === 1, used, msUntilFree };
  }

  const counts: RequestCounts = {
    add(account, windowSeconds, added) {
      own.addNow(account, windowSeconds, added);
      const key = keyOf(account, windowSeconds);
      const readOwn = () => {
        unsent.delete(key);
        return own.read(account, windowSeconds);
      };
      const send = () => guard.attempt<CountedRequests>(() => count(key, windowSeconds, 0), readOwn);
      const known = unsent.get(key) ?? {
        count: 0,
        sent: delay(addAfterMs, undefined, { ref: false }).then(send),
      };
      known.count += added;
      unsent.set(key, known);
      return known.sent;
    },

    async take(account, windowSeconds, limit) {
      // Redis may have lost its counts; what this process has done itself it still knows.
      const alone = own.read(account, windowSeconds);
      if (alone.used >= limit) return { isGranted: false, ...alone };
      return guard.attempt<TakenRequest>(
        async () => {
          const taken = await count(keyOf(account, windowSeconds), windowSeconds, limit);
          if (taken.isGranted) own.addNow(account, windowSeconds, 1);
          return taken;
        },
        () => own.takeNow(account, windowSeconds, limit),
      );
    },
  };

  return {
    ...counts,
    start(): void {
      guard.start({ prepare: () => redis.ping(), use: () => count('pix:psp:probe', 1, 1_000_000) });
    },
    stop(): void {
      guard.stop();
    },
  };
}
