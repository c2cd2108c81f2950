import type { Cluster, Redis } from 'ioredis';
import { ServiceError } from '../core/base/errors.ts';
import type { ArchivedKind, RequestArchive } from '../core/live/rules/request-archive.ts';
import { createRequestOutbox } from './request-outbox.ts';

const keptDays = 7;
const keptMs = keptDays * 86_400_000;
/** Kept of each kind of an organization in a mode: about 200 kB. */
const maximumKept = 500;
/** Limits what this process keeps where there is no Redis. */
const maximumKindsHere = 40;
/** Limits what one node keeps of a kind each second. */
const maximumPerSecond = 20;

interface Dependencies<Item> {
  redis: Redis | Cluster | undefined;
  isItem(value: unknown): value is Item;
}

const keyOf = ({ organizationId, mode, isRefused }: ArchivedKind): string =>
  `pix:kept-requests:${organizationId}:${mode}:${isRefused ? 'refused' : 'served'}`;

/** A sorted set by time for each kind, in which nothing is older than a week; in this process where there is no Redis. */
export function createRequestArchive<Item extends { at: string }>({
  redis,
  isItem,
}: Dependencies<Item>): RequestArchive<Item> {
  const here = new Map<string, Item[]>();
  const outbox = createRequestOutbox<Item>(
    async (key, { items }) => {
      if (!redis) {
        const kept = [...items.toReversed(), ...(here.get(key) ?? [])].slice(0, maximumKept);
        here.delete(key);
        here.set(key, kept);
        for (const longestUnused of here.keys()) {
          if (here.size <= maximumKindsHere) break;
          here.delete(longestUnused);
        }
        return;
      }
      await redis.zadd(key, ...items.flatMap((item) => [Date.parse(item.at), JSON.stringify(item)]));
      await redis.zremrangebyscore(key, '-inf', Date.now() - keptMs);
      await redis.zremrangebyrank(key, 0, -maximumKept - 1);
      await redis.pexpire(key, keptMs);
    },
    { everyMs: 1_000, maximumItems: maximumPerSecond },
  );

  return {
    hasRoom: (kind) => outbox.hasRoom(keyOf(kind)),

    add(kind, item) {
      outbox.add(keyOf(kind), item);
    },

    async read(kind) {
      const since = Date.now() - keptMs;
      if (!redis) return (here.get(keyOf(kind)) ?? []).filter(({ at }) => Date.parse(at) >= since);
      const kept = await redis
        .zrange(keyOf(kind), '+inf', String(since), 'BYSCORE', 'REV')
        .catch(() => undefined);
      if (!kept)
        throw new ServiceError('service_unavailable', 'Redis, which keeps the requests, does not answer');
      // Another release may have kept what this one cannot read.
      return kept.map((text) => JSON.parse(text) as unknown).filter(isItem);
    },
  };
}
