import type { DebitAttempt, DebitFailure } from '../../core/recurrences/rules/debit.ts';

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

/** A code is four letters or digits; anything else may be prose. */
export const codeIn = (text: string | null | undefined): string | undefined =>
  text && /^[A-Z0-9]{4}$/.test(text) ? text : undefined;

function reasonOf(state: DebitAttempt['state'], code: string | undefined): DebitFailure | undefined {
  if (state === 'expired') return 'no_balance';
  if (state !== 'rejected') return undefined;
  return (code !== undefined && Object.hasOwn(failureOfCode, code) && failureOfCode[code]) || 'unknown';
}

/** A day on which the payer's bank was asked, with what its code means. */
export function debitAttempt({
  on,
  state,
  code: given,
  endToEndId,
}: Pick<DebitAttempt, 'on' | 'state'> & {
  code?: string | null | undefined;
  endToEndId?: string | null | undefined;
}): DebitAttempt {
  const code = codeIn(given);
  const reason = reasonOf(state, code);
  return {
    on,
    state,
    ...(reason && { reason }),
    ...(code && { providerCode: code }),
    ...(endToEndId && { endToEndId }),
  };
}

export const inOrder = (attempts: readonly DebitAttempt[]): DebitAttempt[] =>
  attempts.toSorted((one, other) => (one.on < other.on ? -1 : Number(one.on > other.on)));
