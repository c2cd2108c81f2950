import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { cutTo } from '../../core/base/text.ts';
import type { ChargeRequest, Payer } from '../../core/providers/rules/charge.ts';
import type { DebitAttempt } from '../../core/recurrences/rules/debit.ts';
import { codeIn, debitAttempt, inOrder } from '../kit/debit-attempts.ts';
import type { ReceivingAccount } from './account/settings.ts';
import { addressOf, amountOf } from './due.ts';
import type { Cob, WireAttempt } from './wire-format.ts';

const maximumInfoLength = 140;

/** DadosDevedorRecorrencia, which has no document: that is the recurrence's. */
const debtorOf = ({ email, address }: Payer): object => ({
  ...(email && { email }),
  ...(address && addressOf(address)),
});

/** The body of `PUT /cobr/{txid}`. */
export const cobrRequestOf = (
  { amountInCents, description, payer }: ChargeRequest,
  { recurrence, dueOn }: NonNullable<ChargeRequest['debit']>,
  recebedor: ReceivingAccount,
): object => ({
  idRec: recurrence,
  ...(description && { infoAdicional: cutTo(description, maximumInfoLength) }),
  calendario: { dataDeVencimento: dueOn },
  valor: { original: amountOf(amountInCents) },
  ajusteDiaUtil: true,
  recebedor,
  ...((payer.email ?? payer.address) && { devedor: debtorOf(payer) }),
});

const states: Readonly<Record<string, DebitAttempt['state']>> = {
  SOLICITADA: 'requested',
  AGENDADA: 'scheduled',
  PAGA: 'paid',
  REJEITADA: 'rejected',
  // The payer's bank tried until the evening, and there was too little in the account.
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
};

/** An example of the API Pix has a date that is none. The first attempt is made on the due date, others when the bank says so. */
const dayOf = (
  attempt: WireAttempt,
  index: number,
  dueOn: CalendarDay | undefined,
): CalendarDay | undefined => {
  const changedAt = attempt.atualizacao.at(-1)?.data;
  return attempt.dataLiquidacao ?? (index > 0 && changedAt ? brasiliaDay(changedAt) : dueOn);
};

/** Keeps their order, and leaves out those of a status that the API Pix does not have. */
export function attemptsOf({ tentativas, calendario, status, encerramento }: Cob): DebitAttempt[] {
  const dueOn = calendario?.dataDeVencimento ?? undefined;
  const attempts = tentativas.flatMap((attempt, index): DebitAttempt[] => {
    const [state, on] = [states[attempt.status ?? ''], dayOf(attempt, index, dueOn)];
    if (!state || !on) return [];
    const { rejeicao, endToEndId } = attempt;
    return [debitAttempt({ on, state, code: rejeicao?.codigo, endToEndId })];
  });
  // A debit may be refused as a whole.
  const code = codeIn(encerramento?.rejeicao?.codigo);
  if (status === 'REJEITADA' && code && dueOn && !attempts.some(({ state }) => state === 'rejected'))
    attempts.push(debitAttempt({ on: dueOn, state: 'rejected', code }));
  return inOrder(attempts);
}

/** The Pix of its attempts, of which there is one at most. */
export const paidIdsOf = ({ tentativas }: Cob): string[] =>
  tentativas.flatMap(({ status, endToEndId }) => (status === 'PAGA' && endToEndId ? endToEndId : []));
