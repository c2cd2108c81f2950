import type { z } from 'zod';
import { BrCodeError, buildDynamicBrCode, parseBrCode } from '@pix-service/br-code';
import { endOfBrasiliaDay } from '../../core/base/time/brasilia.ts';
import { closingDayOf } from '../../core/payments/rules/due/due-terms.ts';
import type {
  Charge,
  ChargeIds,
  ChargeRequest,
  Refund,
  RefundRequest,
  RevisionRequest,
} from '../../core/providers/rules/charge.ts';
import type { StatementPix } from '../../core/providers/rules/psp-lists.ts';
import { cutTo } from '../../core/base/text.ts';
import { missingIn, translated } from '../kit/response.ts';
import type { Cob, devolucao, ListedPix, WirePix } from './wire-format.ts';
import { type PixPayer, pixPayerOf } from '../../core/payments/rules/pix-payer.ts';
import type { ReversalReason } from '../../core/payments/rules/reversal.ts';
import { documentOf } from '../kit/payer.ts';
import { addressOf, amountOf, calendarOf, partsOf, revisedTermsOf, termsOf } from './due.ts';
import { hasMatchingPix, withOtherMoney } from '../kit/trusted-charge.ts';
import { afterReturns, returnedSums, type ReportedReturn } from '../kit/returned.ts';
import type { ReportedRefund } from '../kit/reported-refund.ts';
import type { BacenSettings } from './account/settings.ts';
import { attemptsOf } from './debits.ts';

const maximumNameLength = 200;
const maximumDescriptionLength = 140;

/**
 * The body of `PUT /cob/{txid}`, or of `/cobv` with its terms. Without `modalidadeAlteracao`, whose default is 0: Efí refuses
 * unknown members.
 */
export function cobRequestOf(request: ChargeRequest, pixKey: string, expirySeconds: number): object {
  const { amountInCents, description, payer, due } = request;
  const document = documentOf(payer);
  const name = payer.name?.trim();
  return {
    calendario: due ? calendarOf(due) : { expiracao: expirySeconds },
    // The standard requires both or neither.
    ...(name &&
      document && {
        devedor: {
          [document.kind]: document.value,
          nome: cutTo(name, maximumNameLength),
          ...(due && payer.address && addressOf(payer.address)),
        },
      }),
    valor: { original: amountOf(amountInCents), ...(due && termsOf(due)) },
    chave: pixKey,
    ...(description && { solicitacaoPagador: cutTo(description, maximumDescriptionLength) }),
  };
}

/** The body of `PATCH /cobv/{txid}`. */
export const revisionOf = ({ amountInCents, due, description }: RevisionRequest): object => ({
  calendario: calendarOf(due),
  valor: { original: amountOf(amountInCents), ...revisedTermsOf(due) },
  ...(description && { solicitacaoPagador: cutTo(description, maximumDescriptionLength) }),
});

type Account = Pick<BacenSettings, 'pixKey' | 'compareKey' | 'merchantName' | 'merchantCity'>;

export interface ReadCharge {
  charge: Charge;
  /** Members of the response that differ from the request; if any, the charge is unrecognised and lists no Pix. */
  mismatches: string[];
  /** Members for which listed Pix were left out: they are unreadable or show that the Pix belongs to another charge. */
  setAside: string[];
}

export function readCob(
  answer: Cob,
  { transactionId, kind }: Pick<ChargeIds, 'transactionId' | 'kind'>,
  account: Account,
): ReadCharge {
  const [hasDueDate, isDebit] = [kind === 'due', kind === 'recurring'];
  const status = translated(isDebit ? debitStatuses : chargeStatuses, answer.status);
  const expected = { transactionId, ...account };
  const { read: listed, unreadable } = answer.pix;
  const foreignMembersIn = (each: WirePix): string[] => [
    ...foreignMembersOf(each, expected),
    ...(listed.every((other) => isTheSameMoney(other, each)) ? [] : ['pix.valor']),
  ];
  const own = listed.filter((each) => foreignMembersIn(each).length === 0);
  const setAside = [...unreadable, ...listed.flatMap(foreignMembersIn)];
  const receivedPix = own.map((each) => {
    const { endToEndId, valor, horario, componentesValor } = each;
    const { status: meaning, returnedInCents, reversals } = afterReturns(valor, returnsOf(each));
    const isContested = meaning === 'contested';
    const about = { returnedInCents, reversals, paidAt: horario ?? null };
    return {
      endToEndId,
      amountInCents: valor,
      ...(componentesValor && { parts: partsOf(componentesValor) }),
      ...about,
      payer: payerOf(each),
      ...(isContested && { isContested }),
    };
  });
  const isContested = receivedPix.length > 0 && receivedPix.every((each) => each.isContested);
  const charge: Charge = {
    transactionId,
    reference: null,
    txid: transactionId,
    status: status === 'paid' && isContested ? 'contested' : status,
    amountInCents: answer.valor.original,
    pixCopyPaste: isDebit ? null : codeOf(answer, account, { hasDueDate }),
    expiresAt: isDebit ? null : hasDueDate ? lastEndOf(answer) : expiryOf(answer),
    receivedPix,
    ...(isDebit && { attempts: attemptsOf(answer) }),
    ...missingIn(
      'pix.devolucoes',
      own.flatMap(({ devolucoes }) => devolucoes.unreadable),
    ),
  };
  const strange = [...mismatchesOf(answer, status, expected), ...(own.length === 0 ? setAside : [])];
  const hasOwnAmount = hasDueDate || hasMatchingPix(charge);
  const mismatches = [...strange, ...(hasOwnAmount ? [] : ['pix.valor'])];
  if (mismatches.length === 0) return { charge, mismatches, setAside };
  const unrecognised: Charge = { ...charge, status: 'unrecognised', receivedPix: [] };
  return { charge: strange.length === 0 ? withOtherMoney(charge) : unrecognised, mismatches, setAside };
}

/** When no bank takes a Pix of a charge with a due date any more. */
function lastEndOf({ calendario }: Cob): Date | null {
  const { dataDeVencimento: date, validadeAposVencimento: payableDaysAfter } = calendario ?? {};
  return date && payableDaysAfter !== undefined
    ? endOfBrasiliaDay(closingDayOf({ date, payableDaysAfter }))
    : null;
}

function expiryOf({ calendario }: Cob): Date | null {
  const { criacao, expiracao } = calendario ?? {};
  return criacao && expiracao !== undefined ? new Date(criacao.getTime() + expiracao * 1_000) : null;
}

/**
 * The standard has no status for expired charges, and our clock is not the PSP's, so ATIVA may still be paid. Inter writes the
 * statuses of removed charges in the masculine (inter-co/pj-sdk-dotnet, `BillingStatus`), as do pages of Itaú.
 */
const chargeStatuses: Readonly<Record<string, Charge['status']>> = {
  ATIVA: 'active',
  // Some clients know it of a charge with a due date; our own end decides.
  VENCIDA: 'active',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'cancelled',
  REMOVIDO_PELO_USUARIO_RECEBEDOR: 'cancelled',
  REMOVIDA_PELO_PSP: 'cancelled',
  REMOVIDO_PELO_PSP: 'cancelled',
  // Banco do Brasil uses the statuses of a devolução for charges too (imobanco/bb-wrapper, docs/pix, from its portal). Only
  // the Pix itself says what was received and returned.
  EM_PROCESSAMENTO: 'contested',
  NAO_REALIZADO: 'paid',
  DEVOLVIDO: 'paid',
};

/** The attempts tell why one failed (CobRStatus). */
const debitStatuses: Readonly<Record<string, Charge['status']>> = {
  CRIADA: 'active',
  ATIVA: 'active',
  CONCLUIDA: 'paid',
  EXPIRADA: 'failed',
  REJEITADA: 'failed',
  CANCELADA: 'cancelled',
};

interface Expected extends Pick<Account, 'pixKey' | 'compareKey'> {
  transactionId: string;
}

const isOurKey = (key: string | undefined, { compareKey, pixKey }: Expected): boolean =>
  !compareKey || key === undefined || key.toLowerCase() === pixKey.toLowerCase();

const isOurId = (id: string | undefined, { transactionId }: Expected): boolean =>
  id === undefined || id === transactionId;

/** Whatever a response says, it decides nothing unless transaction, amount and key are ours. */
function mismatchesOf({ txid, chave, pix }: Cob, status: Charge['status'], expected: Expected): string[] {
  // Some banks leave out the charge's txid. Then that of its Pix identifies it; until there is one, it decides nothing.
  const isNamed =
    txid !== undefined || (pix.read.length > 0 && pix.read.every((each) => each.txid !== undefined));
  const canBeNameless = status === 'active' && pix.read.length === 0;
  return [
    ...(isOurId(txid, expected) && (isNamed || canBeNameless) ? [] : ['txid']),
    ...(isOurKey(chave, expected) ? [] : ['chave']),
  ];
}

const foreignMembersOf = ({ txid, chave }: WirePix, expected: Expected): string[] => [
  ...(isOurKey(chave, expected) ? [] : ['pix.chave']),
  ...(isOurId(txid, expected) ? [] : ['pix.txid']),
];

/** One Pix has one amount: listed with two, neither is believed. */
const isTheSameMoney = (one: WirePix, other: WirePix): boolean =>
  one.endToEndId !== other.endToEndId || one.valor === other.valor;

/** The PSP's own code, else one built from the location, else none: an existing payment must not fail for it. */
function codeOf(
  answer: Cob,
  { merchantName, merchantCity }: Account,
  { hasDueDate }: { hasDueDate: boolean },
): string | null {
  const { pixCopiaECola, brcode, textoImagemQRcode, emv } = answer;
  const given = [pixCopiaECola, brcode, textoImagemQRcode, emv].flatMap((code) => code?.trim() ?? []);
  const own = given.find(isBrCode);
  if (own !== undefined) return own;
  const location = answer.loc?.location ?? answer.location;
  if (!location) return given[0] ?? null;
  // With a due date the amount depends on the day, so the address alone tells it.
  const amountInCents = hasDueDate ? undefined : answer.valor.original;
  return orNothing(() => buildDynamicBrCode({ location, merchantName, merchantCity, amountInCents })) ?? null;
}

export function isCodeOfKey(code: string, { pixKey, compareKey }: Account): boolean {
  const objects = orNothing(() => parseBrCode(code));
  const keys = [...(objects ?? [])].flatMap(([path, value]) =>
    /^(?:2[6-9]|[34]\d|5[01])-01$/.test(path) ? value : [],
  );
  const hasPix = objects?.get('26-00')?.toLowerCase() === 'br.gov.bcb.pix';
  return !compareKey || !hasPix || keys.every((key) => key.toLowerCase() === pixKey.toLowerCase());
}

const isBrCode = (text: string): boolean => orNothing(() => parseBrCode(text)) !== undefined;

function orNothing<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BrCodeError) return undefined;
    throw error;
  }
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  EM_PROCESSAMENTO: 'pending',
  DEVOLVIDO: 'completed',
  NAO_REALIZADO: 'failed',
};

/** `natureza` of the API Pix 2.9. The receiver returns ORIGINAL and RETIRADA; the others are taken back through the MED. */
const reversalReasons: Readonly<Record<string, ReversalReason>> = {
  MED_FRAUDE: 'med_fraud',
  MED_OPERACIONAL: 'med_operational_failure',
  MED_PIX_AUTOMATICO: 'med_automatic_pix',
};

/** `pagador` as in a response of Banco do Brasil, `infoPagador` as in the API Pix 2.9.0. */
function payerOf({ pagador, gnExtras, infoPagador }: WirePix): PixPayer | undefined {
  const { nome, cpf, cnpj } = pagador ?? gnExtras?.pagador ?? {};
  return pixPayerOf({ name: nome, document: cpf || cnpj, message: infoPagador });
}

const returnsOf = ({ devolucoes }: WirePix): ReportedReturn[] =>
  devolucoes.read.map(({ id, status, valor, natureza = 'ORIGINAL', horario }) => ({
    reference: id ?? null,
    status: translated(refundStatuses, status),
    amountInCents: valor,
    reason: reversalReasons[natureza] ?? 'returned_at_psp',
    reversedAt: horario?.liquidacao ?? null,
  }));

export function statementPixOf(pix: ListedPix): StatementPix {
  return {
    reference: pix.endToEndId,
    endToEndId: pix.endToEndId,
    charge: { transactionId: pix.txid ?? null, reference: null },
    amountInCents: pix.valor,
    ...returnedSums(afterReturns(pix.valor, returnsOf(pix))),
    // The standard has no fees.
    feeInCents: null,
    receivedAt: pix.horario,
  };
}

/** The body of `PUT /pix/{e2eid}/devolucao/{id}`. Banks show the payer `descricao` (API Pix 2.9.0, `DevolucaoSolicitada`). */
export const refundBodyOf = ({ amountInCents, reason }: RefundRequest): object => ({
  valor: amountOf(amountInCents),
  ...(reason && { descricao: cutTo(reason, maximumDescriptionLength) }),
});

export const refundOf = ({ id, status, valor }: z.output<typeof devolucao>): ReportedRefund => ({
  reference: id,
  status: translated(refundStatuses, status),
  amountInCents: valor,
});
