/** A window is counted in slices, so that it costs the same however many requests it holds. */
export const slicesPerWindow = 12;

export interface SlidingWindow {
  add(count: number, now: Date): void;
  /** How many were added within the window, and at most one slice more. */
  sum(now: Date): number;
  /** Counts until the oldest of them leave the window. */
  msUntilLess(now: Date): number;
}

/**
 * Counts within any span of `windowMs`, however it lies: the slice that the start of the window cuts is counted whole.
 */
export function createSlidingWindow(windowMs: number): SlidingWindow {
  const sliceMs = windowMs / slicesPerWindow;
  const slices = new Map<number, number>();
  const sliceAt = (now: Date) => Math.floor(now.getTime() / sliceMs);

  function forget(now: Date): void {
    for (const slice of slices.keys()) {
      if (slice < sliceAt(now) - slicesPerWindow) slices.delete(slice);
    }
  }

  return {
    add(count, now) {
      forget(now);
      const slice = sliceAt(now);
      slices.set(slice, (slices.get(slice) ?? 0) + count);
    },

    sum(now) {
      forget(now);
      let sum = 0;
      for (const count of slices.values()) sum += count;
      return sum;
    },

    msUntilLess(now) {
      forget(now);
      const oldest = Math.min(sliceAt(now), ...slices.keys());
      return (oldest + slicesPerWindow + 1) * sliceMs - now.getTime();
    },
  };
}
