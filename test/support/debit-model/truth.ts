import { attemptIdAt, transactionIdOf } from '../../../src/core/base/ids.ts';
import type { Client } from '../client.ts';
import { query } from '../database.ts';
import type { AutomaticPix } from '../psp-emulator/automatic.ts';
import type { PspEmulator } from '../psp-emulator/core.ts';
import type { BankDebit, Followed } from './bank-world.ts';
import { dayOf, firstDayToSend, lastDayToSend } from './calendar.ts';
import { type ExpectedCycle, expectedOf, reasonOf } from './oracle.ts';
import { lastDayOf, type WorldPlan } from './plans.ts';

export interface Outcome {
  databaseUrl: string;
  organizationId: string;
  client: Client;
  payers: AutomaticPix;
  emulator: PspEmulator;
  world: WorldPlan;
  all: readonly Followed[];
}

interface Payment {
  id: string;
  status: string;
  amount: number;
  amountPaid?: number;
  dueDate: string;
  debit: {
    state: string;
    reason?: string;
    attempts: { on: string; state: string; reason?: string; endToEndId?: string }[];
  };
}

const states: Record<string, string> = {
  SOLICITADA: 'requested',
  AGENDADA: 'scheduled',
  PAGA: 'paid',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
};

const hasGone = ({ status }: BankDebit): boolean => status === 'CANCELADA' || status === 'REJEITADA';

/** What is wrong about each recurrence, and at last about the books. */
export async function differencesOf(outcome: Outcome): Promise<string[][]> {
  const { client, payers, all } = outcome;
  const debits = payers.debits();
  const found: string[][] = [];
  for (const followed of all) {
    const recurrence = (await client.get(`/v1/recurrences/${followed.id}`)).body;
    const payments = (await client.get(`/v1/recurrences/${followed.id}/payments?limit=100`)).body.data;
    found.push(
      differencesIn(
        outcome,
        followed,
        recurrence,
        payments,
        debits.filter(({ recurrenceId }) => recurrenceId === followed.reference),
      ),
    );
  }
  return [...found, await booksDiffer(outcome)];
}

function differencesIn(
  { world }: Outcome,
  { plan }: Followed,
  recurrence: { status: string; endedBy?: string },
  payments: Payment[],
  debits: BankDebit[],
): string[] {
  const { status, endedBy, cycles } = expectedOf(world, plan);
  const found: string[] = [];
  const differs = (what: string, said: unknown, truth: unknown) => {
    if (said !== truth) found.push(`${what}: must be ${String(truth)}, is ${String(said)}`);
  };
  differs('status', recurrence.status, status);
  if (status === 'cancelled') differs('endedBy', recurrence.endedBy, endedBy);
  if (status === 'expired' && recurrence.endedBy === 'receiver')
    found.push('endedBy: expired by itself, is receiver');
  const days = new Set(cycles.map(({ day }) => day));
  for (const { day } of debits)
    if (day <= lastDayOf(world) && !days.has(day))
      found.push(`a debit of ${day}, which is no day of a debit`);
  for (const cycle of cycles) {
    const ofDay = payments.filter(({ dueDate }) => dueDate === cycle.day);
    const atBank = debits.filter(({ day }) => day === cycle.day);
    const wrong = wrongIn(cycle, ofDay, atBank, plan.amountInCents);
    found.push(...wrong.map((each) => `${cycle.day} (${cycle.verdict.is}): ${each}`));
  }
  return found;
}

function wrongIn(
  { day, verdict }: ExpectedCycle,
  payments: Payment[],
  debits: BankDebit[],
  amountInCents: number,
): string[] {
  const found: string[] = [];
  const paid = debits.flatMap(({ pix }) => pix);
  const completed = payments.filter(({ status }) => status === 'completed');
  const kept = payments.filter(({ status }) => status !== 'failed');
  const statuses = payments.map(
    ({ status, debit }) => `${status}/${debit.reason ?? debit.attempts.at(-1)?.reason ?? '-'}`,
  );
  const say = (text: string) =>
    found.push(`${text} [${statuses.join(' ')}; ${debits.map(({ status }) => status).join(' ')}]`);
  if (paid.length > 1) say(`debited ${paid.length} times`);
  if (completed.length !== paid.length) say(`debited ${paid.length} times, told ${completed.length} times`);
  if (kept.length > 1) say(`${kept.length} payments`);
  if (debits.filter((each) => !hasGone(each)).length > 1) say('several debits at a time');
  for (const debit of debits) {
    const madeOn = dayOf(debit.madeAt);
    if (madeOn > lastDayToSend(day) || madeOn < firstDayToSend(day)) say(`sent on ${madeOn}`);
    if (Number(debit.amountInCents) !== amountInCents) say(`debit of ${debit.amountInCents} centavos`);
  }
  for (const { amount, amountPaid, status } of payments) {
    if (Math.round(amount * 100) !== amountInCents) say(`payment of R$ ${amount}`);
    if (status === 'completed' && Math.round((amountPaid ?? amount) * 100) !== amountInCents)
      say(`paid R$ ${amountPaid}`);
  }
  const live = payments.find(({ debit }) => debit.attempts.length > 0) ?? kept[0] ?? payments[0];
  found.push(
    ...payments.flatMap((each) =>
      attemptsDiffer(
        each,
        debits.find(({ id }) => id === txidOf(each)),
      ),
    ),
  );
  const reason = live?.debit.attempts.at(-1)?.reason ?? live?.debit.reason;
  const missed = payments.filter(({ debit }) => debit.reason === 'our_fault');
  const isSent = verdict.is !== 'none' && verdict.is !== 'missed';
  if (isSent && missed.length > 0) say('told as never sent');
  if (isSent && debits.length === 0) say('never sent');
  switch (verdict.is) {
    case 'none':
      if (debits.length > 0 || payments.length > 0) say('debited');
      break;
    case 'missed':
      if (debits.length > 0) say('sent too late');
      if (missed.length > 1 || payments.length > missed.length) say('told more than once');
      if (missed.length === 0 && !verdict.orNone) say('not told');
      break;
    case 'paid':
      if (paid.length !== 1) say('forgotten');
      else if (paid[0] && dayOf(paid[0].paidAt) !== verdict.on)
        say(`paid on ${dayOf(paid[0].paidAt)}, not ${verdict.on}`);
      break;
    case 'cancelled':
      if (live?.status !== 'cancelled' && !(verdict.orFailed && live?.status === 'failed'))
        say('not cancelled');
      break;
    case 'failed': {
      const isCancelled = verdict.orCancelled && live?.status === 'cancelled';
      if (live?.status !== 'failed' && !isCancelled) say('not failed');
      else if (!isCancelled && !verdict.reasons.includes(reason ?? ''))
        say(`failed because of ${reason}, not ${verdict.reasons.join()}`);
    }
  }
  return found;
}

const txidOf = ({ id }: Payment): string => transactionIdOf(attemptIdAt(id, 0));

/** The days on which the bank was asked, as told and as they were. */
function attemptsDiffer(payment: Payment, debit: BankDebit | undefined): string[] {
  if (!debit || payment.debit.attempts.length === 0) return [];
  const told = payment.debit.attempts.map(({ on, state, reason }) => [on, state, reason].join(' '));
  const were = debit.attempts.map(({ day, status, code }) => {
    const isFailure = status === 'REJEITADA' || status === 'EXPIRADA';
    return [day, states[status], isFailure ? reasonOf(code) : undefined].join(' ');
  });
  return told.join() === were.join() ? [] : [`attempts: told ${told.join(', ')}; were ${were.join(', ')}`];
}

async function booksDiffer({ databaseUrl, organizationId, emulator }: Outcome): Promise<string[]> {
  const rows = await query<{ id: string; amount: string }>(
    databaseUrl,
    'SELECT end_to_end_id AS id, amount_in_cents AS amount FROM received_pix WHERE organization_id = $1',
    [organizationId],
  );
  const ours = rows.map(({ id, amount }) => `${id} ${amount}`).toSorted();
  const theirs = emulator.ledger.charges
    .flatMap(({ pix }) => pix.map(({ endToEndId, amountInCents }) => `${endToEndId} ${amountInCents}`))
    .toSorted();
  if (ours.join() === theirs.join()) return [];
  const only = (some: string[], others: string[]) => some.filter((each) => !others.includes(each));
  return [
    `books: only ours ${only(ours, theirs).join(', ')}; only the bank's ${only(theirs, ours).join(', ')}`,
  ];
}
