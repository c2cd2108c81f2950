const formatOf = (timeZone: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });

/** What clocks show in a time zone, as `2026-11-21T14:05`; in that of this machine without one. */
export const wallClock = (at: Date, timeZone?: string): string =>
  formatOf(timeZone).format(at).replace(' ', 'T');

const asUtc = (wall: string): number => Date.parse(`${wall}Z`);

/**
 * When clocks in a time zone show a time: of two such instants the first, and where clocks skip it, as much later as they do.
 * An invalid date for anything else than `2026-11-21T14:05`.
 */
export function instantAt(wall: string, timeZone?: string): Date {
  const asked = asUtc(wall);
  if (Number.isNaN(asked)) return new Date(Number.NaN);
  const offsetAt = (at: number): number => asUtc(wallClock(new Date(at), timeZone)) - at;
  const dayMs = 86_400_000;
  // Before and after a change of clocks on that day.
  const candidates = [offsetAt(asked - dayMs), offsetAt(asked + dayMs)].map((offset) => asked - offset);
  const found = candidates.filter((at) => wallClock(new Date(at), timeZone) === wall);
  return new Date(found.length > 0 ? Math.min(...found) : Math.max(...candidates));
}
