import { daysLater } from '../due/second-reckoning.ts';
import type { Outcome } from '../psp-emulator/automatic.ts';
import { at, bankDay, cutOff, dayToSend, debitDay, lastDayToSend } from './calendar.ts';
import { type CyclePlan, lastDayOf, type RecurrencePlan, type WorldPlan } from './plans.ts';

/** What must become of the debit of one cycle, by the rules of the scheme and the promises of the service alone. */
type Verdict =
  /** There is none, and no bank was asked. */
  | { is: 'none' }
  /** No node ran while it could be sent. `orNone`: the recurrence may have ended before anybody noticed. */
  | { is: 'missed'; orNone: boolean }
  | { is: 'paid'; sentOn: string; on: string }
  | { is: 'cancelled'; sentOn: string; orFailed: boolean }
  /** `orCancelled`: its recurrence ended as well, and whichever is seen first is told. */
  | { is: 'failed'; sentOn: string; reasons: readonly string[]; orCancelled: boolean };

export interface ExpectedCycle {
  day: string;
  verdict: Verdict;
}

interface Expected {
  status: string;
  endedBy?: string | undefined;
  cycles: ExpectedCycle[];
}

/** Classes of failures, by the code of the payer's bank. */
const classes: Record<string, string[]> = {
  limit: ['AM02'],
  mandate_ended: ['MIDI', 'MSUC'],
  payer_data: ['UDEI', 'FBRD'],
  account: ['AC05', 'AC06'],
  our_fault: ['DTED', 'AM09', 'QUNT', 'NIEC', 'IRNT', 'DTNT'],
  operational: ['AB10', 'DS27'],
  already_paid: ['NIPA'],
};

const refusesDebit = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'];

const names = { limit: 'AM02', operational: 'AB10', mandate_ended: 'MSUC' } as const;

/** Undefined for want of balance, which has no code, and for what is paid. */
const codeOf = (outcome: Outcome): string | undefined =>
  typeof outcome === 'object' ? outcome.code : outcome in names ? names[outcome as 'limit'] : undefined;

export const reasonOf = (code: string | undefined): string =>
  code === undefined
    ? 'no_balance'
    : (Object.keys(classes).find((each) => classes[each]?.includes(code)) ?? 'unknown');

const isPaid = (outcome: Outcome): boolean => outcome === 'paid' || outcome === 'already_paid';

/** Another day may mend it by itself, or once somebody has done something. */
const passing = ['no_balance', 'operational', 'unknown'];
const mendable = ['limit', 'payer_data'];

const retryDays = [1, 3, 6];

export const daysToConsent = 30;

/** When nothing of what is judged is under way any more. */
export const endOfWorld = (world: WorldPlan): string => daysLater(lastDayOf(world), 23);

/** When nodes run, and when they next do if they do not. */
export const nextRunningDay = ({ outages }: Pick<WorldPlan, 'outages'>, day: string): string => {
  const outage = outages.find(({ from, days }) => from <= day && day < daysLater(from, days));
  return outage ? nextRunningDay({ outages }, daysLater(outage.from, outage.days)) : day;
};

const runs = (world: WorldPlan, day: string): boolean => nextRunningDay(world, day) === day;

/** When its end takes effect at the bank: a receiver without a node waits for one. */
export function endOf(
  world: WorldPlan,
  { end, consent, endDate = '9999' }: RecurrencePlan,
): Date | undefined {
  if (!end) return undefined;
  const isOurs = end.by === 'receiver';
  const on = isOurs ? nextRunningDay(world, end.on) : end.on;
  const isPermitted = consent?.kind === 'permits' && consent.on <= on && consent.on <= endDate;
  const lastOfWaiting = daysLater(world.firstDay, daysToConsent - 1);
  const lastDay = isPermitted || endDate < lastOfWaiting ? endDate : lastOfWaiting;
  const isRejected = consent?.kind === 'rejects' && consent.on <= on;
  const isInTime = on <= lastDay && on <= lastDayOf(world);
  return isInTime && !isRejected && (isPermitted || isOurs) ? at(on, end.hour) : undefined;
}

export function expectedOf(world: WorldPlan, plan: RecurrencePlan): Expected {
  const { consent, endDate = '9999', end } = plan;
  const lastDay = lastDayOf(world);
  const endedAt = endOf(world, plan);
  const cycles: ExpectedCycle[] = [];
  for (let index = 0; ; index += 1) {
    const day = debitDay(plan.startDate, plan.frequency, index);
    if (day > lastDay) break;
    const verdict: Verdict =
      day > endDate || consent?.kind !== 'permits' ? { is: 'none' } : verdictOn(world, plan, index, endedAt);
    cycles.push({ day, verdict });
  }
  if (endedAt && end) return { status: 'cancelled', endedBy: end.by, cycles };
  if (consent?.kind === 'rejects' && consent.on <= endDate) return { status: 'rejected', cycles };
  if (consent?.kind !== 'permits' || endDate < endOfWorld(world)) return { status: 'expired', cycles };
  return { status: 'active', cycles };
}

function verdictOn(
  world: WorldPlan,
  plan: RecurrencePlan,
  index: number,
  endedAt: Date | undefined,
): Verdict {
  const day = debitDay(plan.startDate, plan.frequency, index);
  const consentOn = plan.consent?.on ?? '';
  const last = lastDayToSend(day);
  if (consentOn > last) return { is: 'none' };
  const mayBeSentOn = consentOn > dayToSend(day) ? consentOn : dayToSend(day);
  const sentOn = nextRunningDay(world, mayBeSentOn);
  const sentAt = at(sentOn, sentOn === consentOn ? '13:00' : '08:00');
  if (endedAt && endedAt < sentAt) return { is: 'none' };
  if (sentOn > last) return { is: 'missed', orNone: (plan.endDate ?? '9999') < sentOn };
  return debited({ world, plan, index, day, sentOn, endedAt });
}

interface Sent {
  world: WorldPlan;
  plan: RecurrencePlan;
  index: number;
  day: string;
  sentOn: string;
  endedAt: Date | undefined;
}

export const cycleOf = ({ cycles }: RecurrencePlan, index: number): CyclePlan =>
  cycles[index % cycles.length] ?? { outcomes: [], isEarly: false };

/** Refused on the day on which the bank got it. */
export const isRefusedAtOnce = ({ isEarly, outcomes: [first = 'paid'] }: CyclePlan): boolean =>
  isEarly && !isPaid(first) && codeOf(first) !== undefined;

function debited(sent: Sent): Verdict {
  const { world, plan, index, day, sentOn, endedAt } = sent;
  const cycle = cycleOf(plan, index);
  const next = debitDay(plan.startDate, plan.frequency, index + 1);
  let on = bankDay(day);
  let failures = 0;
  if (isStopped(sent, on)) return { is: 'cancelled', sentOn, orFailed: false };
  for (const outcome of [...cycle.outcomes, 'paid' as const]) {
    const isAtOnce = failures === 0 && isRefusedAtOnce(cycle);
    const settledAt = isAtOnce ? at(sentOn, '08:00') : at(on, '20:30');
    if (endedAt && endedAt < settledAt && endedAt < cutOff(on))
      return { is: 'cancelled', sentOn, orFailed: failures > 0 };
    if (isPaid(outcome)) return { is: 'paid', sentOn, on };
    const code = codeOf(outcome);
    const reason = reasonOf(code);
    const failed = { is: 'failed', sentOn, reasons: [reason], orCancelled: endedAt !== undefined } as const;
    failures += 1;
    if (plan.retries === 'none' || failures > 3 || refusesDebit.includes(code ?? '')) return failed;
    // Nobody may have told of it before the night.
    const seenOn = nextRunningDay(world, isAtOnce ? daysLater(sentOn, 1) : on);
    const days = passing.includes(reason)
      ? retryDays.map((count) => daysLater(day, count))
      : mendable.includes(reason) && cycle.byHand !== undefined
        ? handDays(sent, daysLater(day, cycle.byHand), isAtOnce ? sentOn : on)
        : [];
    const retryOn = days.find((each) => each > on && each > seenOn && each < next);
    // Nobody debits under what has ended: the bank refuses it, if it is asked.
    if (endedAt && retryOn && endedAt < at(seenOn, '21:50'))
      return { ...failed, reasons: [reason, 'mandate_ended'] };
    if (!retryOn) return failed;
    on = retryOn;
  }
  return { is: 'paid', sentOn, on };
}

function isStopped({ world, plan, index, sentOn }: Sent, on: string): boolean {
  const { stop } = cycleOf(plan, index);
  if (!stop || stop.daysBefore < 1) return false;
  const stopOn = daysLater(on, -stop.daysBefore);
  // On the day on which it is sent, nobody knows which comes first.
  return stopOn > sentOn && (stop.by === 'payer' || runs(world, stopOn));
}

/** The receiver commands it at noon of the day before, by when the failure has to be known. */
function handDays({ world }: Sent, on: string, failedOn: string): string[] {
  const commandedOn = daysLater(on, -1);
  return commandedOn > failedOn && runs(world, commandedOn) ? [on] : [];
}
