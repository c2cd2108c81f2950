/** How late a PSP may list what it received, clocks that differ included. */
export const listLagMs = 10 * 60_000;

interface Progress {
  /** The list was read until then. */
  coveredUntil: Date | null;
  /** The creation of the oldest pending payment: nothing before it is of interest. */
  oldestPendingAt: Date;
}

/** What to read next: again what may have been listed late. */
export function nextWindow(
  { coveredUntil, oldestPendingAt }: Progress,
  now: Date,
): { since: Date; until: Date } {
  const fromMs = Math.max(coveredUntil?.getTime() ?? 0, oldestPendingAt.getTime());
  return { since: new Date(fromMs - listLagMs), until: now };
}
