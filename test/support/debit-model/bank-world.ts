import { daysLater } from '../due/second-reckoning.ts';
import type { AutomaticPix } from '../psp-emulator/automatic.ts';
import { bankDay, dayOf, debitDay } from './calendar.ts';
import { cycleOf, isRefusedAtOnce } from './oracle.ts';
import type { RecurrencePlan } from './plans.ts';

/** A recurrence on both sides. */
export interface Followed {
  plan: RecurrencePlan;
  id: string;
  /** What the bank calls it. */
  reference: string;
}

export type BankDebit = ReturnType<AutomaticPix['debits']>[number];

const indexOfCycle = ({ plan }: Followed, day: string): number => {
  let index = 0;
  while (debitDay(plan.startDate, plan.frequency, index) < day) index += 1;
  return index;
};

/** Payers and their banks, who do what the plans say. */
export function bankOf(payers: AutomaticPix, all: readonly Followed[], now: () => Date) {
  const byReference = new Map(all.map((each) => [each.reference, each]));
  const today = () => dayOf(now());
  const statusOf = (reference: string) => payers.recurrences().find(({ id }) => id === reference)?.status;

  const wasSentBefore = ({ madeAt }: BankDebit): boolean => dayOf(madeAt) < today();

  const waiting = (status: string) =>
    payers.debits().flatMap((debit) => {
      const followed = byReference.get(debit.recurrenceId);
      const attempt = debit.attempts.at(-1);
      if (debit.status !== 'ATIVA' || attempt?.status !== status || !followed) return [];
      const cycle = cycleOf(followed.plan, indexOfCycle(followed, debit.day));
      return [{ debit, attempt, cycle, place: debit.attempts.length - 1 }];
    });

  return {
    statusOf,
    /** Takes what it was sent, or refuses it at once. */
    take(): void {
      for (const { debit, cycle, place } of waiting('SOLICITADA')) {
        if (statusOf(debit.recurrenceId) === 'CANCELADA') payers.declines(debit.id, { code: 'MSUC' });
        else if (place === 0 && isRefusedAtOnce(cycle))
          payers.declines(debit.id, cycle.outcomes[0] ?? 'limit');
        else payers.schedules(debit.id);
      }
    },
    settle(): void {
      for (const { debit, attempt, cycle, place } of waiting('AGENDADA'))
        if (attempt.day === today()) payers.settles(debit.id, cycle.outcomes[place] ?? 'paid');
    },
    /** Payers call off what they want to. */
    callOff(): void {
      for (const { debit, cycle, place } of waiting('AGENDADA')) {
        const { by, daysBefore = 0 } = cycle.stop ?? {};
        const isNow = daysLater(bankDay(debit.day), -daysBefore) === today();
        if (by === 'payer' && isNow && wasSentBefore(debit) && daysBefore > 0 && place === 0)
          payers.callsOff(debit.id);
      }
    },
    consent(): void {
      for (const { plan, reference } of all) {
        if (plan.consent?.on !== today() || statusOf(reference) !== 'CRIADA') continue;
        if (plan.consent.kind === 'permits') payers.approves(reference);
        else payers.rejects(reference);
      }
    },
    revoke(hour: string): void {
      for (const { plan, reference } of all) {
        const { end } = plan;
        if (end?.on !== today() || end.hour !== hour || end.by === 'receiver') continue;
        if (statusOf(reference) === 'APROVADA') payers.revokes(reference, end.by);
      }
    },
    /** Those whose last attempt has failed for a reason that only a person mends, and that the receiver has retried tomorrow. */
    toRetry(): { followed: Followed; day: string; on: string }[] {
      return payers.debits().flatMap((debit) => {
        const followed = byReference.get(debit.recurrenceId);
        if (debit.status !== 'ATIVA' || !followed) return [];
        const cycle = cycleOf(followed.plan, indexOfCycle(followed, debit.day));
        const on = daysLater(debit.day, cycle.byHand ?? 0);
        const isNow = cycle.byHand !== undefined && daysLater(on, -1) === today();
        const last = debit.attempts.at(-1);
        const isMendable = last?.status === 'REJEITADA' && ['AM02', 'UDEI', 'FBRD'].includes(last.code ?? '');
        return isNow && isMendable && last.day < on ? [{ followed, day: debit.day, on }] : [];
      });
    },
    /** Those that the receiver stops alone today. */
    toStop(): { followed: Followed; day: string }[] {
      return payers.debits().flatMap((debit) => {
        const followed = byReference.get(debit.recurrenceId);
        if (debit.status !== 'ATIVA' || !followed) return [];
        const { stop } = cycleOf(followed.plan, indexOfCycle(followed, debit.day));
        const isNow = stop && daysLater(bankDay(debit.day), -stop.daysBefore) === today();
        return isNow && wasSentBefore(debit) && stop.by === 'receiver' ? [{ followed, day: debit.day }] : [];
      });
    },
  };
}
