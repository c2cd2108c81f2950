import { type Cents, centsFromText } from '../../../base/money.ts';
import { brasiliaDay, startOfBrasiliaDay } from '../../../base/time/brasilia.ts';
import { addDays, type CalendarDay, calendarDayOf } from '../../../base/time/calendar-day.ts';

/** What support asks by: "maria 19,90 ontem 15h". */
export interface Question {
  /** What remains to be searched for. */
  search?: string;
  amountInCents?: Cents;
  /** `to` is exclusive. */
  time?: { from: Date; to: Date };
}

const minuteMs = 60_000;

const daysAgo: Readonly<Record<string, number>> = {
  hoje: 0,
  today: 0,
  ontem: 1,
  yesterday: 1,
  anteontem: 2,
};

/** Said before a day or an hour. */
const fillers = new Set(['em', 'no', 'dia', 'as', 'às', 'on', 'at']);

function amountIn(token: string): Cents | undefined {
  const written = token.replace(/^R\$/i, '');
  return written !== token || /[.,]\d\d$/.test(written) ? centsFromText(written) : undefined;
}

/** A day of this year, or of the last one if it is still to come. */
function dayIn(token: string, today: CalendarDay): CalendarDay | undefined {
  const ago = daysAgo[token.toLowerCase()];
  if (ago !== undefined) return addDays(today, -ago);
  const [, day = '', month = '', year] = /^(\d\d?)\/(\d\d?)(?:\/(\d\d(?:\d\d)?))?$/.exec(token) ?? [];
  const dayOf = (of: string) => calendarDayOf(`${of}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  if (year !== undefined) return dayOf(year.padStart(4, '20'));
  const thisYear = Number(today.slice(0, 4));
  const written = dayOf(String(thisYear));
  return written && written > today ? dayOf(String(thisYear - 1)) : (written ?? calendarDayOf(token));
}

/** Minutes since midnight: a whole hour is less exact than one with minutes. */
function hourIn(token: string): { from: number; to: number } | undefined {
  const [, hour, afterH, afterColon] = /^(\d\d?)(?:h(\d\d)?|:(\d\d))$/i.exec(token) ?? [];
  const minute = afterH ?? afterColon;
  if (hour === undefined || Number(hour) > 23 || Number(minute ?? 0) > 59) return undefined;
  const at = Number(hour) * 60 + Number(minute ?? 0);
  return minute === undefined ? { from: at - 30, to: at + 90 } : { from: at - 15, to: at + 16 };
}

function timeOf(
  day: CalendarDay | undefined,
  hour: { from: number; to: number } | undefined,
  now: Date,
): Question['time'] {
  if (!hour) return day && { from: startOfBrasiliaDay(day), to: startOfBrasiliaDay(addDays(day, 1)) };
  const within = (of: CalendarDay) => {
    const startMs = startOfBrasiliaDay(of).getTime();
    return { from: new Date(startMs + hour.from * minuteMs), to: new Date(startMs + hour.to * minuteMs) };
  };
  const today = brasiliaDay(now);
  return within(day ?? (within(today).from > now ? addDays(today, -1) : today));
}

/**
 * Takes an amount, a day and an hour (São Paulo) out of a text of several words. Text with quotation marks, and codes, mean
 * themselves.
 */
export function readQuestion(text: string, now: Date): Question {
  const tokens = text.replace(/R\$\s+(?=\d)/gi, 'R$').split(/\s+/);
  if (tokens.length < 2 || /"|^000201/.test(text)) return { search: text };
  let amount: { token: string; inCents: Cents } | undefined;
  let day: CalendarDay | undefined;
  let hour: ReturnType<typeof hourIn>;
  const rest: string[] = [];
  for (const token of tokens) {
    const inCents = amount ? undefined : amountIn(token);
    const asDay = day ? undefined : dayIn(token, brasiliaDay(now));
    const asHour = hour ? undefined : hourIn(token);
    if (inCents !== undefined) amount = { token: token.replace(/^R\$/i, ''), inCents };
    else if (asDay ?? asHour) {
      day ??= asDay;
      hour ??= asHour;
      if (fillers.has(rest.at(-1)?.toLowerCase() ?? '')) rest.pop();
    } else rest.push(token);
  }
  const time = timeOf(day, hour, now);
  const [search] = rest.length > 0 ? [rest.join(' ')] : amount ? [amount.token] : [];
  return {
    ...(search !== undefined && { search }),
    ...(amount && { amountInCents: amount.inCents }),
    ...(time && { time }),
  };
}
