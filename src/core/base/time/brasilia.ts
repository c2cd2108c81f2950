/** Brazil has had no daylight saving time since 2019. */
const offset = '-03:00';
const offsetMs = 3 * 3_600_000;

const shifted = (at: Date): string => new Date(at.getTime() - offsetMs).toISOString();

/** The current date in Brasília, `YYYY-MM-DD`. */
export const brasiliaDay = (at: Date): string => shifted(at).slice(0, 10);

/** ISO 8601 with milliseconds and the Brasília offset. */
export const brasiliaIso = (at: Date): string => shifted(at).replace('Z', offset);

/**
 * Parses local time in Brasília: `YYYY-MM-DD HH:mm:ss`, or a date alone for midnight. Undefined for anything
 * else.
 */
export function fromBrasilia(text: string): Date | undefined {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time}${offset}`);
  return day && !Number.isNaN(at.getTime()) ? at : undefined;
}
