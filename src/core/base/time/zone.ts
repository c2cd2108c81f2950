const hourMs = 3_600_000;

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + 24 * hourMs).toISOString().slice(0, 10);

/** Both inclusive, each `YYYY-MM-DD`. */
export function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  return days;
}

/**
 * When each day begins in a time zone, and when the last one ends. Undefined unless all of them begin on whole hours of UTC:
 * where zones are half an hour off, a sum of hours would belong to two days.
 */
export function dayStarts(timeZone: string, days: readonly string[]): Date[] | undefined {
  const format = formatOf(timeZone);
  const at = (ms: number): { day: string; isWhole: boolean } => {
    const [date = '', time = ''] = format.format(new Date(ms)).split(', ');
    return { day: date, isWhole: time.endsWith(':00') };
  };
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  // No zone is further from UTC than that.
  let ms = Date.parse(`${first}T00:00:00Z`) - 15 * hourMs;
  const starts: Date[] = [];
  for (const day of [...days, nextDay(last)]) {
    while (at(ms).day < day) ms += hourMs;
    if (!at(ms).isWhole) return undefined;
    starts.push(new Date(ms));
    // A day has 23 hours at least.
    ms += 22 * hourMs;
  }
  return starts;
}

/** What organizations without another one use. */
export const defaultTimeZone = 'America/Sao_Paulo';

/**
 * Its name as IANA writes it. Undefined for anything else, offsets included, and for zones whose days do not begin on whole
 * hours of UTC.
 */
export function wholeHourZone(name: string): string | undefined {
  // `Etc/GMT+3` is a name, `+03:00` is none.
  if (!/^[a-z]/i.test(name) || !isTimeZone(name)) return undefined;
  const { timeZone } = formatOf(name).resolvedOptions();
  const isWhole = ['2026-01-15', '2026-07-15'].every((day) => dayStarts(timeZone, [day]));
  return isWhole ? timeZone : undefined;
}
