import type { Redis } from 'ioredis';
import {
  createRequestCounts,
  type OwnRequestCounts,
  type RequestCounts,
} from '../core/providers/rules/request-quota.ts';
import type { Logger } from '../observability/logger.ts';
import { createSharedRequestCounts } from './shared-request-counts.ts';

interface Dependencies {
  redis: Redis | undefined;
  now: () => Date;
  logger: Logger;
}

/** Says once, when it first matters, that other processes are not counted. */
function countAlone(own: OwnRequestCounts, logger: Logger): RequestCounts {
  let hasSaid = false;
  const say = () => {
    if (!hasSaid) logger.info('without REDIS_URL, requests to providers are counted per process');
    hasSaid = true;
  };
  return {
    add(...requests) {
      say();
      return own.add(...requests);
    },
    take(...request) {
      say();
      return own.take(...request);
    },
  };
}

/** Counts the requests to providers: of all nodes, or of this process alone while there is no Redis. */
export function openRequestCounts({ redis, now, logger }: Dependencies): RequestCounts & { stop(): void } {
  const own = createRequestCounts(now);
  if (!redis) return { ...countAlone(own, logger), stop: () => undefined };
  const shared = createSharedRequestCounts({
    redis,
    own,
    onLost: (error) => {
      logger.warn({ error }, 'Redis lost: counting requests to providers per process');
    },
    onRecovered: () => {
      logger.info('Redis recovered: counting requests to providers over all nodes');
    },
  });
  shared.start();
  return shared;
}
