import { addDays, type CalendarDay, daysBetween, weekdayOf } from './calendar-day.ts';

/** Lei 662/1949 with 10.607/2002, and 6.802/1980. */
const fixedHolidays = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];

/** Days after Easter Sunday on which banks are closed: carnival, Good Friday, Corpus Christi (Resolução CMN 4.880/2020). */
const movableHolidays = [-48, -47, -2, 60];

/** Dia da Consciência Negra is national since Lei 14.759/2023. */
const blackAwareness = { monthAndDay: '11-20', since: 2024 };

/** Gregorian Easter, by the anonymous algorithm that Meeus prints in "Astronomical Algorithms". */
export function easterOf(year: number): CalendarDay {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const month = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const place = epact + weekday - 7 * month + 114;
  const pad = (number: number): string => String(number).padStart(2, '0');
  return `${year}-${pad(Math.floor(place / 31))}-${pad((place % 31) + 1)}` as CalendarDay;
}

const isWeekend = (day: CalendarDay): boolean => weekdayOf(day) === 0 || weekdayOf(day) === 6;

/** Keeps them by year, because amounts are reckoned for many days of many payments. */
const knownHolidays = new Map<number, ReadonlySet<CalendarDay>>();

/** Bank holidays that fall on no weekend. */
function holidaysOf(year: number): ReadonlySet<CalendarDay> {
  const known = knownHolidays.get(year);
  if (known) return known;
  const fixed = year >= blackAwareness.since ? [...fixedHolidays, blackAwareness.monthAndDay] : fixedHolidays;
  const easter = easterOf(year);
  const holidays = [
    ...fixed.map((monthAndDay) => `${year}-${monthAndDay}` as CalendarDay),
    ...movableHolidays.map((offset) => addDays(easter, offset)),
  ];
  const onWorkdays = new Set(holidays.filter((day) => !isWeekend(day)));
  knownHolidays.set(year, onWorkdays);
  return onWorkdays;
}

const yearOf = (day: CalendarDay): number => Number(day.slice(0, 4));

/**
 * No weekend and no national bank holiday. The payer's city may have more, and nobody publishes a list of them
 * (issue 225 of the API Pix), so what is computed from it is an estimate.
 */
export const isBusinessDay = (day: CalendarDay): boolean =>
  !isWeekend(day) && !holidaysOf(yearOf(day)).has(day);

/** The day itself, if it is one. */
export function nextBusinessDay(day: CalendarDay): CalendarDay {
  let next = day;
  while (!isBusinessDay(next)) next = addDays(next, 1);
  return next;
}

/** Business days after `from`, up to and including `to`. */
export function businessDaysBetween(from: CalendarDay, to: CalendarDay): number {
  if (to <= from) return 0;
  const weeks = Math.floor(daysBetween(from, to) / 7);
  let count = weeks * 5;
  for (let day = addDays(from, weeks * 7 + 1); day <= to; day = addDays(day, 1))
    if (!isWeekend(day)) count += 1;
  for (let year = yearOf(from); year <= yearOf(to); year += 1)
    for (const holiday of holidaysOf(year)) if (holiday > from && holiday <= to) count -= 1;
  return count;
}
