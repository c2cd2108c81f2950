import { createHash } from 'node:crypto';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { isJsonObject } from '../../../src/core/base/json/json-object.ts';
import { type Cents, cents, reaisFromCents } from '../../../src/core/base/money.ts';
import { brasiliaIso } from '../../../src/core/base/time/brasilia.ts';
import type { BacenFlavour, BacenSwitch } from './bacen-bank.ts';
import { type EmulatedCharge, type EmulatedPix, type EmulatedRefund, hasNoCharge } from './ledger.ts';
import type { Reply } from './psp.ts';
import type { Switches } from './switches.ts';

type Has = Switches<BacenSwitch>['isOn'];

const amountOf = (amountInCents: Cents): string => reaisFromCents(amountInCents).toFixed(2);

export interface Violation {
  razao: string;
  propriedade: string;
}

/** A refusal in the words of the flavour: `type` and violations by the standard, `nome` and prose by Efí. */
export function refusalReply(
  flavour: BacenFlavour,
  status: number,
  { type, nome, violations }: { type: string; nome: string; violations?: readonly Violation[] },
): Reply {
  const mensagem = violations?.map(({ razao }) => razao).join('; ') ?? 'A operação não é possível';
  // Efí keeps the standard's shape for 403 only.
  if (flavour === 'efi' && status !== 403) return { status, body: { nome, mensagem } };
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
      title: 'A requisição foi recusada.',
      status,
      detail: 'A requisição não respeita as regras.',
      ...(violations && { violacoes: violations }),
    },
  };
}

export const locationOf = ({ transactionId, due }: EmulatedCharge): string =>
  `pix.bank.example/qr/v2/${due ? 'cobv/' : ''}${createHash('md5').update(transactionId).digest('hex')}`;

const codeMembers = ['pixCopiaECola', 'brcode', 'textoImagemQRcode', 'emv'] as const;

/** The code of a charge in the members that this bank has for it. */
export function codesOf(charge: EmulatedCharge, has: Has): object {
  const location = locationOf(charge);
  const code = buildDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'Ouro Preto' });
  return Object.fromEntries(codeMembers.filter(has).map((member) => [member, code]));
}

/** CobCompleta. The standard leaves the code out, as PSPs may. */
export function cobOf(charge: EmulatedCharge, status: string, has: Has): object {
  const location = locationOf(charge);
  return {
    ...(has('nulls') && { devedor: null, loc: null, chave: null, pix: null, pixCopiaECola: null }),
    calendario: {
      criacao: charge.createdAt.toISOString(),
      expiracao: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1_000),
    },
    txid: charge.transactionId,
    revisao: charge.details['revisao'],
    ...(!has('nulls') && {
      loc: { id: 789, location, tipoCob: 'cob', criacao: charge.createdAt.toISOString() },
    }),
    location,
    status,
    valor: { original: amountOf(charge.amountInCents) },
    ...keyOf(charge, has),
    ...(charge.details['devedor'] !== undefined && { devedor: charge.details['devedor'] }),
    ...(charge.details['solicitacaoPagador'] !== undefined && {
      solicitacaoPagador: charge.details['solicitacaoPagador'],
    }),
    ...codesOf(charge, has),
    ...shownPixOf(charge, has),
  };
}

export const shownPixOf = (charge: EmulatedCharge, has: Has): object =>
  charge.pix.length > 0 && !charge.details['hidesPix']
    ? { pix: charge.pix.map((pix) => pixOf(charge, pix, has)) }
    : {};

export const keyOf = (charge: EmulatedCharge, has: Has): object =>
  has('keyLeftOut') ? {} : { chave: has('keyIsTxid') ? charge.transactionId : charge.details['chave'] };

const returnsOf = ({ refunds }: EmulatedCharge, pix: EmulatedPix): EmulatedRefund[] =>
  refunds.filter(({ endToEndId }) => endToEndId === pix.endToEndId);

/** Those that are not zero, which the original never is: PixValorOriginal, PixValorMulta, … of the API Pix 2.9.0. */
function componentsOf({ parts }: EmulatedPix, has: Has): object {
  if (!parts || has('noComponents')) return {};
  const named = {
    original: parts.originalInCents,
    multa: parts.fineInCents,
    juros: parts.interestInCents,
    abatimento: parts.rebateInCents,
    desconto: parts.discountInCents,
  };
  const shown = Object.entries(named).filter(([, amount]) => amount > 0n);
  const componentesValor = Object.fromEntries(
    shown.map(([name, amount]) => [name, { valor: amountOf(cents(amount)) }]),
  );
  return { componentesValor };
}

/** As a part of its charge, or by itself in a notification. */
export const pixOf = (charge: EmulatedCharge, pix: EmulatedPix, has: Has, isAlone = false): object => ({
  endToEndId: pix.endToEndId,
  ...((isAlone || !has('keyLeftOut')) && !hasNoCharge(charge) && { txid: charge.transactionId }),
  ...keyOf(charge, has),
  valor: amountOf(pix.amountInCents),
  ...componentsOf(pix, has),
  horario: pix.paidAt.toISOString(),
  ...(pix.payer && {
    pagador: {
      [pix.payer.document.length === 11 ? 'cpf' : 'cnpj']: pix.payer.document,
      nome: pix.payer.name,
    },
  }),
  infoPagador: 'pagamento do\npedido (5\t%)',
  ...(returnsOf(charge, pix).length > 0 && { devolucoes: returnsOf(charge, pix).map(devolucaoOf) }),
});

const refundWords = { pending: 'EM_PROCESSAMENTO', completed: 'DEVOLVIDO', failed: 'NAO_REALIZADO' };

export const devolucaoOf = (refund: EmulatedRefund): object => ({
  id: refund.refundId,
  rtrId: refund.reference,
  valor: amountOf(refund.amountInCents),
  natureza: refund.reason ?? 'ORIGINAL',
  ...(refund.message !== undefined && { descricao: refund.message }),
  horario: { solicitacao: refund.createdAt.toISOString() },
  status: refundWords[refund.status],
});

/** `2022-09-12T07:58:41.29-0300` */
const localTimeOf = (text: string): string => brasiliaIso(new Date(text)).replace(/\d-03:00$/, '-0300');

const numbers = ['expiracao', 'validadeAposVencimento', 'modalidade'];
const amounts = ['original', 'valor', 'valorPerc'];

/** A body as this bank writes it. */
export function written(body: object, has: Has): string {
  const deviating = (name: string, value: unknown): unknown => {
    if (Array.isArray(value) && value.length === 1 && has('singleItem')) return value[0];
    if (typeof value === 'number' && has('digitStrings') && numbers.includes(name)) return String(value);
    if (typeof value !== 'string') return value;
    if (['criacao', 'horario', 'solicitacao'].includes(name) && has('localTimes')) return localTimeOf(value);
    if (!amounts.includes(name) || !/^\d+\.\d\d$/.test(value)) return value;
    if (has('numericAmounts')) return Number(value);
    return has('oneDecimal') ? value.replace(/(\.\d)0$/, '$1') : value;
  };
  const text = JSON.stringify(body, deviating);
  return has('rawControls') ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text;
}

export const membersOf = (value: unknown) => (isJsonObject(value) ? value : {});
