import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { Unavailable } from '../../core/base/errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { sendJson } from '../base/send-json.ts';

export interface Health {
  /** Fails when PostgreSQL does not respond. */
  checkDatabase(): Promise<void>;
  /** `memory` without a Redis. */
  redis(): 'up' | 'down' | 'memory';
  /** How far the system clock is ahead of the database's. */
  systemAheadMs(): number;
  isStopping(): boolean;
  /** Whether the log cannot be written at the moment. */
  isLogFailing(): boolean;
}

/** The clock decides nothing, but a machine this far off probably has other problems. */
const maximumOffsetMs = 30_000;
const shownOffsetMs = 2_000;

const outcomeLastsMs = 1_000;
/** A connection to a host that is gone fails much later. */
const checkTimeoutMs = 5_000;

/** Makes one check at a time, and at most one a second, however many probes ask: they need no key. */
export function shareChecks(check: () => Promise<void>): () => Promise<void> {
  let latest: Promise<void> | undefined;
  const tooSlow = async () => {
    await delay(checkTimeoutMs, undefined, { ref: false });
    throw new Unavailable('slow');
  };
  return () =>
    (latest ??= Promise.race([check(), tooSlow()]).finally(() =>
      setTimeout(() => (latest = undefined), outcomeLastsMs).unref(),
    ));
}

/** Undefined while the clock is within bounds. */
function clockState(aheadMs: number): string | undefined {
  if (Math.abs(aheadMs) <= shownOffsetMs) return undefined;
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${where} the database's`;
}

export const isReady = async (health: Health): Promise<boolean> =>
  (await isDatabaseUp(health)) && isInOrder(health);

const isDatabaseUp = (health: Health): Promise<boolean> =>
  health.checkDatabase().then(
    () => true,
    () => false,
  );

const isInOrder = (health: Health): boolean =>
  Math.abs(health.systemAheadMs()) <= maximumOffsetMs && !health.isStopping();

export const healthRoutes = (health: Health, metrics: Metrics) => ({
  live: (_request: Request, response: Response): void => {
    sendJson(response, 200, { status: 'ok' });
  },

  /** Losing Redis is reported but not fatal: requests are then counted in memory. Nor is a log that cannot be written. */
  ready: async (_request: Request, response: Response): Promise<void> => {
    const isUp = await isDatabaseUp(health);
    const isFit = isUp && isInOrder(health);
    sendJson(response, isFit ? 200 : 503, {
      status: isFit ? 'ready' : 'not ready',
      database: isUp ? 'up' : 'down',
      redis: health.redis(),
      clock: clockState(health.systemAheadMs()),
      log: health.isLogFailing() ? 'not written' : undefined,
    });
  },

  metrics: async (_request: Request, response: Response): Promise<void> => {
    response.setHeader('Content-Type', metrics.contentType);
    response.end(await metrics.text());
  },
});
