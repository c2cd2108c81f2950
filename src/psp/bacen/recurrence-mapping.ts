import { BrCodeError, buildRecurrenceBrCode, parseBrCode } from '@pix-service/br-code';
import { cutTo } from '../../core/base/text.ts';
import { type TaxDocument, parseDocument } from '../../core/payments/rules/document.ts';
import type {
  PspRecurrence,
  RecurrenceIds,
  RecurrenceRequest,
} from '../../core/providers/rules/psp-recurrence.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { EndedBy, Frequency, RetryPolicy } from '../../core/recurrences/rules/recurrence.ts';
import { codeIn } from '../kit/debit-attempts.ts';
import { translated } from '../kit/response.ts';
import type { BacenSettings } from './account/settings.ts';
import { amountOf } from './due.ts';
import type { Rec } from './recurrence-wire-format.ts';

const maximumNameLength = 140;
const maximumObjectLength = 35;

const frequencies: Record<Frequency, string> = {
  weekly: 'SEMANAL',
  monthly: 'MENSAL',
  quarterly: 'TRIMESTRAL',
  semiannually: 'SEMESTRAL',
  annually: 'ANUAL',
};

const retryPolicies: Record<RetryPolicy, string> = {
  none: 'NAO_PERMITE',
  three_in_seven_days: 'PERMITE_3R_7D',
};

/** Fails for a document that no bank takes. */
export function debtorOf({ payer }: Pick<RecurrenceIds, 'payer'>): TaxDocument {
  const document = parseDocument(payer.document);
  if (document) return document;
  throw new PspError('rejected_payer', 'payer.document must be a CPF or a CNPJ');
}

/** The txid that a bank has to know. That of an offer is of a charge with a due date, which its code alone tells. */
const activatingTxidOf = ({ authorization, firstTransactionId }: RecurrenceIds): string | null =>
  authorization === 'qr_with_payment' ? firstTransactionId : null;

/** The body of `POST /rec`. Without a location it has no code. */
export function recRequestOf(request: RecurrenceRequest, loc: number | undefined): object {
  const { amountInCents, minimumAmountInCents, startDate, endDate, frequency, retries } = request;
  const { contract, description, payer } = request;
  const txid = activatingTxidOf(request);
  const { kind, value } = debtorOf(request);
  const amount =
    amountInCents !== null
      ? { valorRec: amountOf(amountInCents) }
      : minimumAmountInCents !== null && { valorMinimoRecebedor: amountOf(minimumAmountInCents) };
  return {
    vinculo: {
      contrato: contract,
      devedor: { [kind]: value, nome: cutTo(payer.name.trim(), maximumNameLength) },
      ...(description && { objeto: cutTo(description, maximumObjectLength) }),
    },
    calendario: {
      dataInicial: startDate,
      ...(endDate && { dataFinal: endDate }),
      periodicidade: frequencies[frequency],
    },
    ...(amount && { valor: amount }),
    politicaRetentativa: retryPolicies[retries],
    ...(loc !== undefined && { loc }),
    ...(txid && { ativacao: { dadosJornada: { txid } } }),
  };
}

/** A bank whose clock is behind would count more than the thirty days that it may have. */
const behindMs = 60_000;

/** The body of `POST /solicrec`. */
export function solicitationOf(
  idRec: string,
  { expiresAt, ...request }: Pick<RecurrenceRequest, 'expiresAt' | 'payer' | 'payerAccount'>,
): object {
  if (!request.payerAccount) throw new PspError('rejected', 'payerAccount must be given');
  const { ispb, branch, account } = request.payerAccount;
  const { kind, value } = debtorOf(request);
  return {
    idRec,
    calendario: { dataExpiracaoSolicitacao: new Date(expiresAt.getTime() - behindMs).toISOString() },
    destinatario: {
      [kind]: value,
      ispbParticipante: ispb,
      ...(branch !== undefined && { agencia: branch }),
      conta: account,
    },
  };
}

/** Whether the payer's bank has been asked, or is about to be. */
export const isSolicited = ({ solicitacao }: Rec): boolean =>
  solicitacao.some(({ status }) => ['CRIADA', 'ENVIADA', 'RECEBIDA', 'ACEITA'].includes(status ?? ''));

const statuses: Readonly<Record<string, PspRecurrence['status']>> = {
  CRIADA: 'pending',
  APROVADA: 'active',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
};

const requesters: Readonly<Record<string, EndedBy>> = {
  USUARIO_PAGADOR: 'payer',
  PSP_PAGADOR: 'payer_bank',
  USUARIO_RECEBEDOR: 'receiver',
  PSP_RECEBEDOR: 'receiver_bank',
};

const statusOf = ({ status, atualizacao }: Rec): PspRecurrence['status'] =>
  translated(statuses, status ?? atualizacao.at(-1)?.status ?? '');

const contractOf = ({ vinculo }: Rec): string | undefined => vinculo?.contrato;
const documentIn = ({ vinculo }: Rec): string | undefined => {
  const given = vinculo?.devedor?.cpf ?? vinculo?.devedor?.cnpj;
  return given && parseDocument(given)?.value;
};
const firstTxidOf = ({ ativacao }: Rec): string | undefined => ativacao?.dadosJornada?.txid;

/** Members that are not ours. A bank takes out the txid once the payer has permitted it in another way. */
function foreignMembersOf(read: Rec, ids: RecurrenceIds): string[] {
  const differs = (seen: string | undefined, own: string | null) => seen !== undefined && seen !== own;
  return [
    ...(ids.reference !== null && read.idRec !== ids.reference ? ['idRec'] : []),
    ...(differs(contractOf(read), ids.contract) ? ['vinculo.contrato'] : []),
    ...(differs(documentIn(read), debtorOf(ids).value) ? ['vinculo.devedor'] : []),
    ...(differs(firstTxidOf(read), activatingTxidOf(ids)) ? ['ativacao.dadosJornada.txid'] : []),
  ];
}

export function recurrenceOf(
  read: Rec,
  ids: RecurrenceIds,
): Omit<PspRecurrence, 'pixCopyPaste'> & { mismatches: string[] } {
  const { rejeicao, cancelamento } = read.encerramento ?? {};
  const mismatches = foreignMembersOf(read, ids);
  return {
    reference: ids.reference ?? read.idRec,
    status: mismatches.length > 0 ? 'unrecognised' : statusOf(read),
    endedBy: requesters[cancelamento?.solicitante ?? ''] ?? null,
    reason: codeIn(cancelamento?.codigo) ?? codeIn(rejeicao?.codigo) ?? null,
    mismatches,
  };
}

/** What tells a recurrence of ours from others of the same payer. */
export interface SoughtRecurrence
  extends RecurrenceIds, Partial<Pick<RecurrenceRequest, 'amountInCents' | 'startDate' | 'taken'>> {}

/**
 * The one that an earlier request made, among those that a bank lists. The bank keeps no id of ours but the txid of the first charge;
 * without one, the payer's contract and terms tell. One that has ended is then taken for an earlier one of the same contract.
 */
export function madeFor(sought: SoughtRecurrence, all: readonly Rec[], since: Date): Rec | undefined {
  const { contract, amountInCents, startDate, taken = [] } = sought;
  const firstTransactionId = activatingTxidOf(sought);
  const document = debtorOf(sought).value;
  const isSame = <Value>(own: Value | undefined, seen: Value | undefined) =>
    own === undefined || own === seen;
  const hasOurTerms = (each: Rec): boolean => {
    const madeAt = each.atualizacao.find(({ status }) => status === 'CRIADA')?.data;
    return (
      !taken.includes(each.idRec) &&
      // Some banks do not list it.
      (firstTransactionId === null ? firstTxidOf(each) === undefined : !each.ativacao) &&
      contractOf(each) === contract &&
      documentIn(each) === document &&
      isSame(startDate, each.calendario?.dataInicial) &&
      isSame(amountInCents, each.valor?.valorRec ?? null) &&
      (!madeAt || madeAt >= since)
    );
  };
  const isLive = (each: Rec): boolean => ['pending', 'active'].includes(statusOf(each));
  const named = all.filter((each) => firstTransactionId !== null && firstTxidOf(each) === firstTransactionId);
  return named.find(isLive) ?? named[0] ?? all.filter(hasOurTerms).find(isLive);
}

const withoutScheme = (location: string): string => location.replace(/^https?:\/\//i, '');

const isBrCodeError = (error: unknown): boolean => error instanceof BrCodeError;

/**
 * The code with which the payer permits it and pays the charge whose code is given. Built from the locations where the bank sends
 * none; null where it sends none of those either. Fails for the code of another recurrence or charge.
 */
export function codeOf(
  { loc, dadosQR }: Rec,
  chargeCode: string | null,
  { merchantName, merchantCity }: Pick<BacenSettings, 'merchantName' | 'merchantCity'>,
): string | null {
  const ours = loc?.location && withoutScheme(loc.location);
  try {
    const location = chargeCode === null ? undefined : parseBrCode(chargeCode).get('26-25');
    const given = dadosQR?.pixCopiaECola?.trim();
    if (!given)
      return ours
        ? buildRecurrenceBrCode({ merchantName, merchantCity, recurrenceLocation: ours, location })
        : null;
    const code = parseBrCode(given);
    const at = (path: string): string | undefined => {
      const url = code.get(path);
      return url && withoutScheme(url);
    };
    const isOurs = at('80-25') !== undefined && (!ours || at('80-25') === ours);
    if (isOurs && at('26-25') === (location && withoutScheme(location))) return given;
  } catch (error) {
    if (!isBrCodeError(error)) throw error;
    throw new PspError('unknown', 'the provider returned a code that no bank reads');
  }
  throw new PspError('unknown', 'the provider returned a code of another recurrence or charge');
}
