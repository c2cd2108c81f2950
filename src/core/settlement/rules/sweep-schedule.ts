/** How late a PSP may list what it received, including the difference between its clock and ours. */
export const listLagMs = 10 * 60_000;

interface Progress {
  /** The list was read up to this time. */
  coveredUntil: Date | null;
  /** Creation of the oldest pending payment; nothing before it matters. */
  oldestPendingAt: Date;
}

/** Reads again what may have been listed late. */
export function nextWindow(
  { coveredUntil, oldestPendingAt }: Progress,
  now: Date,
): { since: Date; until: Date } {
  const fromMs = Math.max(coveredUntil?.getTime() ?? 0, oldestPendingAt.getTime());
  return { since: new Date(fromMs - listLagMs), until: now };
}
