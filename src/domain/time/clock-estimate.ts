/** One question to another clock, by a clock of ours that nobody sets: when it was put and answered, in milliseconds. */
export interface ClockSample {
  sentAtMs: number;
  answeredAtMs: number;
  theirsMs: number;
}

interface Estimate {
  aheadMs: number;
  /** At most, when it was made. */
  errorMs: number;
  madeAtMs: number;
}

/** How far two clocks part in a millisecond, at most. */
const drift = 0.000_5;

/**
 * What another clock shows, by samples. The surest counts, one that was answered quickly, until it is so old that
 * a new one is surer, or until a new one contradicts it: then the other clock was set.
 */
export function createClockEstimate() {
  let best: Estimate | undefined;

  return {
    add({ sentAtMs, answeredAtMs, theirsMs }: ClockSample): void {
      const errorMs = (answeredAtMs - sentAtMs) / 2;
      const aheadMs = theirsMs - (sentAtMs + answeredAtMs) / 2;
      const agedErrorMs = best ? best.errorMs + (answeredAtMs - best.madeAtMs) * drift : Infinity;
      const isContradicted = best !== undefined && Math.abs(aheadMs - best.aheadMs) > errorMs + agedErrorMs;
      if (isContradicted || errorMs <= agedErrorMs) best = { aheadMs, errorMs, madeAtMs: answeredAtMs };
    },
    /** What it shows at an instant of ours; NaN before the first sample. */
    at: (oursMs: number): number => oursMs + (best?.aheadMs ?? NaN),
  };
}
