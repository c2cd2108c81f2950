/** More than an organization's counter, whose row is locked for each of them, can number in a minute. */
const eventsPerMinute = 1_000_000;

/**
 * Room for the events that one counter may have numbered in that time, including those numbered after an earlier restore of
 * the same backup.
 */
export const eventsLostWithin = (since: Date, until: Date): number =>
  Math.ceil(Math.max(until.getTime() - since.getTime(), 1) / 60_000) * eventsPerMinute;

export const newestOf = (times: readonly Date[]): Date | null =>
  times.length === 0 ? null : new Date(Math.max(...times.map((at) => at.getTime())));

/** Clocks of PSPs differ from ours, and a charge is created there later than its payment here. */
const marginMs = 10 * 60_000;
const hourMs = 3_600_000;

export interface TimeSpan {
  since: Date;
  until: Date;
}

export const withMargin = ({ since, until }: TimeSpan): TimeSpan => ({
  since: new Date(since.getTime() - marginMs),
  // Some know whole seconds only.
  until: new Date(until.getTime() + 1_000),
});

/** Parts of an hour: PSPs bound the time, and some the number of items, that one list may be about. */
export function hoursOf({ since, until }: TimeSpan): TimeSpan[] {
  const hours: TimeSpan[] = [];
  for (let at = since.getTime(); at < until.getTime(); at += hourMs)
    hours.push({ since: new Date(at), until: new Date(Math.min(at + hourMs, until.getTime())) });
  return hours;
}
