import { createHash } from 'node:crypto';
import { buildDynamicBrCode } from '../../../src/domain/payments/br-code.ts';
import { type Cents, reaisFromCents } from '../../../src/domain/money.ts';
import type { EmulatedCharge, EmulatedPix, EmulatedRefund } from './ledger.ts';
import type { Reply } from './psp.ts';

/** `standard` is the Banco Central's document to the letter, `efi` what Efí makes of it. */
export type BacenFlavour = 'standard' | 'efi';

export const amountOf = (amountInCents: Cents): string => reaisFromCents(amountInCents).toFixed(2);

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

const locationOf = ({ transactionId }: EmulatedCharge): string =>
  `pix.bank.example/qr/v2/${createHash('md5').update(transactionId).digest('hex')}`;

/** CobCompleta. The standard leaves the code out, as PSPs may. */
export function cobOf(charge: EmulatedCharge, status: string, flavour: BacenFlavour): object {
  const location = locationOf(charge);
  return {
    calendario: {
      criacao: charge.createdAt.toISOString(),
      expiracao: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1_000),
    },
    txid: charge.transactionId,
    revisao: charge.details['revisao'],
    loc: { id: 789, location, tipoCob: 'cob', criacao: charge.createdAt.toISOString() },
    location,
    status,
    valor: { original: amountOf(charge.amountInCents), modalidadeAlteracao: 0 },
    chave: charge.details['chave'],
    ...(charge.details['devedor'] !== undefined && { devedor: charge.details['devedor'] }),
    ...(charge.details['solicitacaoPagador'] !== undefined && {
      solicitacaoPagador: charge.details['solicitacaoPagador'],
    }),
    ...(flavour === 'efi' && {
      pixCopiaECola: buildDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'Ouro Preto' }),
    }),
    ...(charge.pix.length > 0 && { pix: charge.pix.map((pix) => pixOf(charge, pix)) }),
  };
}

const returnsOf = ({ refunds }: EmulatedCharge, pix: EmulatedPix): EmulatedRefund[] =>
  refunds.filter(({ endToEndId }) => endToEndId === pix.endToEndId);

export const pixOf = (charge: EmulatedCharge, pix: EmulatedPix): object => ({
  endToEndId: pix.endToEndId,
  txid: charge.transactionId,
  chave: charge.details['chave'],
  valor: amountOf(pix.amountInCents),
  horario: pix.paidAt.toISOString(),
  infoPagador: 'pagamento do pedido',
  ...(returnsOf(charge, pix).length > 0 && { devolucoes: returnsOf(charge, pix).map(devolucaoOf) }),
});

const refundWords = { pending: 'EM_PROCESSAMENTO', completed: 'DEVOLVIDO', failed: 'NAO_REALIZADO' };

export const devolucaoOf = (refund: EmulatedRefund): object => ({
  id: refund.refundId,
  rtrId: refund.reference,
  valor: amountOf(refund.amountInCents),
  natureza: 'ORIGINAL',
  horario: { solicitacao: refund.createdAt.toISOString() },
  status: refundWords[refund.status],
});
