/** One reading of another clock. The local times come from our monotonic clock, in milliseconds. */
export interface ClockSample {
  sentAtMs: number;
  receivedAtMs: number;
  theirsMs: number;
}

interface Estimate {
  aheadMs: number;
  /** Upper bound at the time of the sample. */
  errorMs: number;
  madeAtMs: number;
}

/** Upper bound for the drift of two clocks, in milliseconds per millisecond. */
const drift = 0.000_5;

/**
 * Estimates another clock from samples. The most precise one, from a fast reply, is used until it has aged so
 * much that a new one is more precise, or until a new one contradicts it because the other clock was set.
 */
export function createClockEstimate() {
  let best: Estimate | undefined;

  return {
    add({ sentAtMs, receivedAtMs, theirsMs }: ClockSample): void {
      const errorMs = (receivedAtMs - sentAtMs) / 2;
      const aheadMs = theirsMs - (sentAtMs + receivedAtMs) / 2;
      const agedErrorMs = best ? best.errorMs + (receivedAtMs - best.madeAtMs) * drift : Infinity;
      const isContradicted = best !== undefined && Math.abs(aheadMs - best.aheadMs) > errorMs + agedErrorMs;
      if (isContradicted || errorMs <= agedErrorMs) best = { aheadMs, errorMs, madeAtMs: receivedAtMs };
    },
    /** The other clock's time at a local time; NaN before the first sample. */
    at: (oursMs: number): number => oursMs + (best?.aheadMs ?? NaN),
  };
}
