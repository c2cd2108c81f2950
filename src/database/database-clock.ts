import { createClockEstimate } from '../core/base/time/clock-estimate.ts';
import type { Database } from './database.ts';

/**
 * The database's clock, which is the same for every node. Between readings it advances with this machine's monotonic clock, so
 * that no decision depends on the system clock.
 */
export interface DatabaseClock {
  now(): Date;
  /** How far the system clock is ahead. */
  systemAheadMs(): number;
  stop(): void;
}

const samplesAtStart = 3;
const sampleEveryMs = 5_000;
/** A difference to the monotonic clock this large means that the system clock was set or the machine slept. */
const jumpMs = 1_000;

/** Fails when the database does not respond. `looked` is called after each reading. */
export async function startDatabaseClock(
  db: Database,
  looked: (clock: Pick<DatabaseClock, 'systemAheadMs'>) => void = () => undefined,
): Promise<DatabaseClock> {
  const estimate = createClockEstimate();
  let systemToOurs = Date.now() - performance.now();
  let isLooking = false;

  async function look(): Promise<void> {
    const sentAtMs = performance.now();
    const [row] = await db.$queryRaw<{ ms: number }[]>`
      SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`;
    const receivedAtMs = performance.now();
    systemToOurs = Date.now() - receivedAtMs;
    if (row) estimate.add({ sentAtMs, receivedAtMs, theirsMs: row.ms });
  }

  /** A brief outage is harmless, because the estimate keeps advancing. */
  async function lookAgain(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    await look().then(
      () => {
        looked(clock);
      },
      () => undefined,
    );
    isLooking = false;
  }

  const clock: DatabaseClock = {
    now() {
      const oursMs = performance.now();
      if (Math.abs(Date.now() - oursMs - systemToOurs) > jumpMs) void lookAgain();
      return new Date(estimate.at(oursMs));
    },
    systemAheadMs: () => Date.now() - estimate.at(performance.now()),
    stop() {
      clearInterval(timer);
    },
  };

  for (let sample = 0; sample < samplesAtStart; sample++) await look();
  looked(clock);
  const timer = setInterval(() => void lookAgain(), sampleEveryMs).unref();
  return clock;
}
