import { createClockEstimate } from '../domain/time/clock-estimate.ts';
import type { Database } from './database.ts';

/**
 * The database's clock, for every node the same. Between two looks at it time passes by the clock of this
 * machine that nobody sets, so what is decided by it does not depend on the system's clock.
 */
export interface DatabaseClock {
  now(): Date;
  /** How far the system's clock is ahead. */
  systemAheadMs(): number;
  stop(): void;
}

const samplesAtStart = 3;
const sampleEveryMs = 5_000;
/** By so much the system's clock was set, or the machine slept, when it parts from the other one. */
const jumpMs = 1_000;

/** Fails when the database does not answer. `looked` is called after each look at its clock. */
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
    const answeredAtMs = performance.now();
    systemToOurs = Date.now() - answeredAtMs;
    if (row) estimate.add({ sentAtMs, answeredAtMs, theirsMs: row.ms });
  }

  /** A database that is away for a moment changes nothing: time passes all the same. */
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
