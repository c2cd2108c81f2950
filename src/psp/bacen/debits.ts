import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { cutTo } from '../../core/base/text.ts';
import type { ChargeRequest, Payer } from '../../core/providers/rules/charge.ts';
import type { DebitAttempt, DebitFailure } from '../../core/recurrences/rules/debit.ts';
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

/**
 * `rejeicao.codigo` of the API Pix 2.9.0 (CobRTentativas, from the catalogue of messages of the SPI), and those that Woovi documents
 * besides (developers.woovi.com, "Pix Automático"). Codes that are not here are unknown: DENC, NITX, RC09.
 */
const failureOfCode: Readonly<Record<string, DebitFailure>> = {
  // More than the payer permits for one debit.
  AM02: 'limit',
  EXPR: 'no_balance',
  MIDI: 'mandate_ended',
  MSUC: 'mandate_ended',
  UDEI: 'payer_data',
  FBRD: 'payer_data',
  // Closed, and blocked.
  AC05: 'account',
  AC06: 'account',
  AM09: 'our_fault',
  CRNC: 'our_fault',
  DTED: 'our_fault',
  DTNT: 'our_fault',
  // Too early, and too late.
  FCD1: 'our_fault',
  FCD2: 'our_fault',
  IRNT: 'our_fault',
  NIEC: 'our_fault',
  QUNT: 'our_fault',
  AB10: 'operational',
  DS27: 'operational',
  GRER: 'operational',
  NIPA: 'already_paid',
};

const states: Readonly<Record<string, DebitAttempt['state']>> = {
  SOLICITADA: 'requested',
  AGENDADA: 'scheduled',
  PAGA: 'paid',
  REJEITADA: 'rejected',
  // The payer's bank tried until the evening, and there was too little in the account.
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
};

/** A code is four letters or digits; anything else may be prose. */
export const codeIn = (given: { codigo?: string | undefined } | null | undefined): string | undefined =>
  given?.codigo !== undefined && /^[A-Z0-9]{4}$/.test(given.codigo) ? given.codigo : undefined;

function reasonOf(state: DebitAttempt['state'], code: string | undefined): DebitFailure | undefined {
  if (state === 'expired') return 'no_balance';
  if (state !== 'rejected') return undefined;
  return (code !== undefined && Object.hasOwn(failureOfCode, code) && failureOfCode[code]) || 'unknown';
}

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
    const code = codeIn(attempt.rejeicao);
    const reason = reasonOf(state, code);
    return [
      {
        on,
        state,
        ...(reason && { reason }),
        ...(code && { providerCode: code }),
        ...(attempt.endToEndId && { endToEndId: attempt.endToEndId }),
      },
    ];
  });
  // A debit may be refused as a whole.
  const code = codeIn(encerramento?.rejeicao);
  if (status === 'REJEITADA' && code && dueOn && !attempts.some(({ state }) => state === 'rejected')) {
    attempts.push({ on: dueOn, state: 'rejected', reason: reasonOf('rejected', code), providerCode: code });
  }
  return attempts.toSorted((one, other) => (one.on < other.on ? -1 : Number(one.on > other.on)));
}

/** The Pix of its attempts, of which there is one at most. */
export const paidIdsOf = ({ tentativas }: Cob): string[] =>
  tentativas.flatMap(({ status, endToEndId }) => (status === 'PAGA' && endToEndId ? endToEndId : []));
