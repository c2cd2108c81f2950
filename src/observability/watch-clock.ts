import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Offset that is reported to the operator. */
const reportOffsetMs = 2_000;

/** Logs once when the system clock drifts from the database's, and once when it is right again. */
export function createClockWatch(logger: Logger, metrics: Pick<Metrics, 'clockIsAhead'>) {
  let isOff = false;

  return (aheadMs: number): void => {
    const offsetSeconds = Math.round(aheadMs / 100) / 10;
    metrics.clockIsAhead(aheadMs / 1_000);
    const wasOff = isOff;
    isOff = Math.abs(aheadMs) > reportOffsetMs;
    if (isOff && !wasOff) {
      logger.error(
        { offsetSeconds },
        'system clock is off: please correct it; the service uses the database clock meanwhile',
      );
    }
    if (!isOff && wasOff) logger.info({ offsetSeconds }, 'system clock is right again');
  };
}
