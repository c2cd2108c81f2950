import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Beyond this an operator is told. */
const tellMs = 2_000;

/** Tells once when the system's clock is off the database's, and once when it is right again. */
export function createClockWatch(logger: Logger, metrics: Pick<Metrics, 'clockIsAhead'>) {
  let isOff = false;

  return (aheadMs: number): void => {
    const offsetSeconds = Math.round(aheadMs / 100) / 10;
    metrics.clockIsAhead(aheadMs / 1_000);
    const wasOff = isOff;
    isOff = Math.abs(aheadMs) > tellMs;
    if (isOff && !wasOff) {
      logger.error({ offsetSeconds }, "the system clock is off: set it, the database's counts meanwhile");
    }
    if (!isOff && wasOff) logger.info({ offsetSeconds }, 'the system clock is right again');
  };
}
