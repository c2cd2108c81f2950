import { startOfBrasiliaDay } from '../base/time/brasilia.ts';
import { lastLookAfter, nextUnknownCheck } from '../settlement/rules/check-schedule.ts';
import { dayToSend } from './rules/cycle.ts';
import { isOpen, type Recurrence } from './rules/recurrence.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Longer than a create can take: one still being created after this has nobody to finish it. */
const creationLeaseMs = 10 * minuteMs;

/** The debits of a day are not sent all at once: six hours have them all. */
const firstHour = 1;
const spreadMinutes = 6 * 60;

/** The time at which the service sends the debit of a day. */
function timeToSend({ id, mode, nextDebitOn }: Recurrence): Date | null {
  if (nextDebitOn === null) return null;
  const minute = mode === 'live' ? Number.parseInt(id.slice(-4), 16) % spreadMinutes : 0;
  const startMs = startOfBrasiliaDay(dayToSend(nextDebitOn)).getTime();
  return new Date(startMs + firstHour * hourMs + minute * minuteMs);
}

const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other);

/** When to look at it next: null once it has ended. */
export function nextRecurrenceCheck(recurrence: Recurrence, now: Date): Date | null {
  const { status, createdAt, expiresAt, endRequestedAt } = recurrence;
  if (status === 'creating') return new Date(createdAt.getTime() + creationLeaseMs);
  if (endRequestedAt && isOpen(recurrence)) return nextUnknownCheck(endRequestedAt, now);
  if (status === 'pending') {
    const lastLookAt = lastLookAfter(expiresAt);
    if (now < expiresAt) return earlierOf(nextUnknownCheck(createdAt, now), expiresAt);
    return now < lastLookAt ? lastLookAt : nextUnknownCheck(expiresAt, now);
  }
  if (status !== 'active') return null;
  // Providers notify of an end; a look a day makes up for what was lost where no debit is sent.
  const daily = new Date(now.getTime() + 24 * hourMs);
  const sendAt = timeToSend(recurrence);
  return sendAt && sendAt > now ? sendAt : sendAt ? new Date(now.getTime() + 10 * minuteMs) : daily;
}
