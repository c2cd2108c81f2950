import { daysLater } from '../due/second-reckoning.ts';
import { bankDay, dayOf, dayToSend, debitDay } from './calendar.ts';
import { cycleOf, daysToConsent, endOf, isRefusedAtOnce, nextRunningDay } from './oracle.ts';
import { lastDayOf, type RecurrencePlan, type WorldPlan } from './plans.ts';

/** The times of a day at which something can happen. */
export type Time = '08:00' | '12:00' | '21:00' | '21:50' | '23:00';

/** Nodes make debits in the morning, and see in the evening what has become of those of the day. */
const [morning, noon, evening] = ['08:00', '12:00', '21:50'] as const;

/** The days on which something can happen, in order. */
export function eventfulDays(world: WorldPlan): [day: string, times: Set<Time>][] {
  const days = new Map<string, Set<Time>>();
  const add: Add = (day, time) => {
    if (day >= world.firstDay) days.set(day, (days.get(day) ?? new Set()).add(time));
  };
  for (const { from, days: count } of world.outages)
    add(nextRunningDay(world, daysLater(from, count)), morning);
  for (const days of [daysToConsent, daysToConsent + 1, daysToConsent + 2])
    add(daysLater(world.firstDay, days), morning);
  for (const plan of world.recurrences) addThoseOf(world, plan, add);
  return [...days].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

type Add = (day: string, time: Time) => void;

function addThoseOf(world: WorldPlan, plan: RecurrencePlan, add: Add): void {
  const { consent, end, endDate = '9999' } = plan;
  if (consent) add(consent.on, noon);
  const endedAt = endOf(world, plan);
  if (endedAt && end) add(dayOf(endedAt), end.hour);
  if (endDate <= lastDayOf(world)) for (const days of [1, 8, 12]) add(daysLater(endDate, days), morning);
  if (consent?.kind !== 'permits') return;
  for (let index = 0; ; index += 1) {
    const day = debitDay(plan.startDate, plan.frequency, index);
    const isOver = endedAt && dayToSend(day) > dayOf(endedAt);
    if (day > endDate || day > lastDayOf(world) || isOver) return;
    addThoseOfCycle(plan, index, day, add);
  }
}

function addThoseOfCycle(plan: RecurrencePlan, index: number, day: string, add: Add): void {
  const cycle = cycleOf(plan, index);
  const { outcomes, stop, byHand } = cycle;
  add(dayToSend(day), morning);
  add(bankDay(day), evening);
  if (stop) add(daysLater(bankDay(day), -stop.daysBefore), noon);
  if (outcomes.length === 0) return;
  if (isRefusedAtOnce(cycle)) add(daysLater(dayToSend(day), 1), morning);
  if (plan.retries === 'none') return;
  for (const days of [1, 3, 6]) add(daysLater(day, days), evening);
  add(daysLater(day, 9), morning);
  if (byHand === undefined) return;
  add(daysLater(day, byHand - 1), noon);
  add(daysLater(day, byHand), evening);
}
