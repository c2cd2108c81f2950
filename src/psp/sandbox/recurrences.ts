import { startOfBrasiliaDay } from '../../core/base/time/brasilia.ts';
import { nextBusinessDay } from '../../core/base/time/business-days.ts';
import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import type { PspRecurrence, RecurrenceIds } from '../../core/providers/rules/psp-recurrence.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { DebitAttempt, DebitFailure } from '../../core/recurrences/rules/debit.ts';
import type { DebitOutcome, PublicRecurrenceStatus } from '../../core/recurrences/rules/recurrence.ts';
import { chargeOf, newEndToEndId, owedAt, recurrenceBrCode } from './mapping.ts';
import type {
  SandboxCharge,
  SandboxDebit,
  SandboxRecurrence,
  SandboxStore,
} from '../../core/sandbox/rules/sandbox-store.ts';

const hourMs = 3_600_000;
/** A payer who is not simulated permits it after this time, and the bank debits at this hour. */
const consentMs = hourMs / 6;
const debitHour = 8;

/** Codes of the API Pix (`tentativas` of a `cobr`). */
const failures: Record<Exclude<DebitOutcome, 'paid'>, { reason: DebitFailure; providerCode?: string }> = {
  no_balance: { reason: 'no_balance' },
  limit: { reason: 'limit', providerCode: 'AM02' },
  account_closed: { reason: 'account', providerCode: 'AC05' },
  operational: { reason: 'operational', providerCode: 'AB10' },
  already_paid: { reason: 'already_paid', providerCode: 'NIPA' },
};

const attemptOf = ({ on, outcome }: SandboxDebit['days'][number], endToEndId?: string): DebitAttempt => {
  if (endToEndId !== undefined) return { on, state: 'paid', endToEndId };
  if (outcome === undefined || outcome === 'paid') return { on, state: 'scheduled' };
  return { on, state: outcome === 'no_balance' ? 'expired' : 'rejected', ...failures[outcome] };
};

/** What has become of a debit. */
export function debitChargeOf(charge: SandboxCharge & { debit: SandboxDebit }, asOf: Date) {
  const { days } = charge.debit;
  const last = days.at(-1);
  const [pix] = charge.pix;
  const attempts = days.map((day) => attemptOf(day, day === last ? pix?.endToEndId : undefined));
  const isClosed = last?.outcome === 'account_closed' && !pix;
  const known = chargeOf(charge, asOf);
  return { ...known, pixCopyPaste: null, attempts, ...(isClosed && { status: 'failed' as const }) };
}

const timeOf = (day: CalendarDay): Date =>
  new Date(startOfBrasiliaDay(nextBusinessDay(day)).getTime() + debitHour * hourMs);

/** Payers' banks let go of a debit until 22:00 of the day before. One whose last day failed is nowhere at work. */
export function mayCancelDebit({ days }: SandboxDebit, asOf: Date): boolean {
  const last = days.at(-1);
  if (!last || last.outcome !== undefined) return true;
  return asOf.getTime() < startOfBrasiliaDay(nextBusinessDay(last.on)).getTime() - 2 * hourMs;
}

type RecurrenceMethods = Required<
  Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence' | 'retryDebit'>
>;

export interface SandboxRecurrences extends RecurrenceMethods {
  approve(reference: string, at: Date): Promise<void>;
  end(reference: string, how: 'rejected' | 'cancelled'): Promise<void>;
  /** Has the payer's bank answer the debit now. */
  answer(transactionId: string, outcome: DebitOutcome, at: Date): Promise<void>;
  /** Lets happen what does by itself; returns the charge as it is then. */
  settleDebit(charge: SandboxCharge & { debit: SandboxDebit }, asOf: Date): Promise<SandboxCharge>;
}

export function createSandboxRecurrences(
  store: SandboxStore,
  { createCharge, now }: { createCharge: PspAdapter['createCharge']; now: () => Date },
): SandboxRecurrences {
  async function existing(reference: string | null): Promise<SandboxRecurrence> {
    const found = reference === null ? undefined : await store.findRecurrence(reference);
    if (!found) throw new PspError('rejected', 'the sandbox has no such recurrence');
    return found;
  }

  function pay(transactionId: string, charge: SandboxCharge, paidAt: Date) {
    const pix = { endToEndId: newEndToEndId(paidAt), paidAt, amountInCents: owedAt(charge, paidAt) };
    return store.payByItself(transactionId, pix);
  }

  async function approve(reference: string, at: Date): Promise<void> {
    const { firstTransactionId, approvedAt, end } = await existing(reference);
    if (approvedAt || end) return;
    const first = firstTransactionId === null ? undefined : await store.find(firstTransactionId);
    // If the first payment cannot be made, nothing is permitted.
    if (first && first.pix.length === 0 && chargeOf(first, at).status !== 'active') return;
    if (first && firstTransactionId !== null && first.pix.length === 0)
      await pay(firstTransactionId, first, at);
    await store.changeRecurrence(reference, { approvedAt: at });
  }

  async function read(
    reference: string,
    { authorization }: Pick<RecurrenceIds, 'authorization'>,
    asOf: Date,
  ): Promise<PspRecurrence> {
    const before = await existing(reference);
    const permitsAt = new Date(before.createdAt.getTime() + consentMs);
    const { firstTransactionId } = before;
    const first = firstTransactionId === null ? undefined : await store.find(firstTransactionId);
    const isPermitted = authorization !== 'offer' && first?.pix.length;
    if (asOf >= permitsAt || isPermitted) await approve(reference, asOf < permitsAt ? asOf : permitsAt);
    const { approvedAt, end } = await existing(reference);
    const status: PublicRecurrenceStatus = end ? end.status : approvedAt ? 'active' : 'pending';
    const pixCopyPaste = authorization === 'push' ? null : recurrenceBrCode(reference, first);
    return { reference, status, endedBy: end?.endedBy ?? null, reason: null, pixCopyPaste };
  }

  const asOfOr = ({ asOf = now() }: Pick<RecurrenceIds, 'asOf'>): Date => asOf;

  const withDebit = (charge: SandboxCharge | undefined): SandboxCharge & { debit: SandboxDebit } => {
    if (!charge?.debit) throw new PspError('rejected', 'the sandbox has no such debit');
    return { ...charge, debit: charge.debit };
  };

  async function settleDebit(
    charge: SandboxCharge & { debit: SandboxDebit },
    asOf: Date,
  ): Promise<SandboxCharge> {
    const { transactionId, debit } = charge;
    if (charge.pix.length > 0 || charge.cancelledAt) return charge;
    const { end } = await existing(debit.recurrence);
    if (end) await store.change(transactionId, { cancelledAt: asOf });
    const last = debit.days.at(-1);
    if (!end && last && last.outcome === undefined && asOf >= timeOf(last.on))
      await pay(transactionId, charge, timeOf(last.on));
    return (await store.find(transactionId)) ?? charge;
  }

  return {
    approve,
    settleDebit,

    async createRecurrence(request, signal) {
      const { recurrenceId: reference, firstTransactionId, first } = request;
      if (first) await createCharge(first, signal);
      await store.insertRecurrence({ reference, firstTransactionId, createdAt: asOfOr(request) });
      return read(reference, request, asOfOr(request));
    },

    async findRecurrence(ids) {
      const { reference } = ids;
      const isThere = reference !== null && (await store.findRecurrence(reference));
      return isThere ? read(isThere.reference, ids, asOfOr(ids)) : undefined;
    },

    async cancelRecurrence(ids) {
      const current = await read((await existing(ids.reference)).reference, ids, asOfOr(ids));
      if (current.status !== 'pending' && current.status !== 'active') return current;
      await store.changeRecurrence(current.reference, { end: { status: 'cancelled', endedBy: 'receiver' } });
      return read(current.reference, ids, asOfOr(ids));
    },

    async retryDebit({ transactionId, asOf = now() }, on) {
      const charge = withDebit(await store.find(transactionId));
      const { debit } = charge;
      const isKnown = debit.days.some((day) => day.on === on);
      if (!isKnown) await store.change(transactionId, { debit: { ...debit, days: [...debit.days, { on }] } });
      return debitChargeOf(withDebit(await store.find(transactionId)), asOf);
    },

    async end(reference, status) {
      const { end } = await existing(reference);
      if (!end) await store.changeRecurrence(reference, { end: { status, endedBy: 'payer' } });
    },

    async answer(transactionId, outcome, at) {
      const charge = withDebit(await store.find(transactionId));
      const { end } = await existing(charge.debit.recurrence);
      if (end || charge.cancelledAt) throw new PspError('rejected', 'the debit has ended');
      if (outcome === 'paid') return pay(transactionId, charge, at);
      const days = charge.debit.days.map((day, index, all) =>
        index === all.length - 1 ? { ...day, outcome } : day,
      );
      await store.change(transactionId, { debit: { ...charge.debit, days } });
    },
  };
}
