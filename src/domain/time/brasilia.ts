/** Brazil has kept no summer time since 2019. */
const offset = '-03:00';
const offsetMs = 3 * 3_600_000;

const shifted = (at: Date): string => new Date(at.getTime() - offsetMs).toISOString();

/** `YYYY-MM-DD`, the day that it is in Brasília. */
export const brasiliaDay = (at: Date): string => shifted(at).slice(0, 10);

/** ISO 8601 with milliseconds and the offset of Brasília. */
export const brasiliaIso = (at: Date): string => shifted(at).replace('Z', offset);

/**
 * The instant of a date without a zone, as a clock in Brasília shows it: `YYYY-MM-DD HH:mm:ss`, or a day
 * alone, whose beginning it is. Undefined for anything else.
 */
export function fromBrasilia(text: string): Date | undefined {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time}${offset}`);
  return day && !Number.isNaN(at.getTime()) ? at : undefined;
}
