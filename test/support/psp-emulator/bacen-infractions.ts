import { randomUUID } from 'node:crypto';
import { reaisFromCents } from '../../../src/core/base/money.ts';
import type { BacenSwitch } from './bacen-bank.ts';
import { listRoute } from './bacen-received.ts';
import type { Violation } from './bacen-wire.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Reply, Route } from './psp.ts';
import type { Switches } from './switches.ts';

/** A claim on the first Pix of a charge, in the words of Efí. */
export interface EmulatedInfraction {
  idInfracao: string;
  status: string;
  valor: string;
  tipoSituacao: string;
  abertura: Date;
  prazoFinalizacao: Date;
  defesa?: string;
  analise?: string;
  recebimentoDefesa?: Date;
}

const infractionsIn = ({ details }: EmulatedCharge) => (details['infractions'] ?? []) as EmulatedInfraction[];

/** Has the payer claim the money of a paid charge. */
export function openInfraction(
  charge: EmulatedCharge,
  given: Pick<EmulatedInfraction, 'abertura' | 'prazoFinalizacao'> & Partial<EmulatedInfraction>,
): EmulatedInfraction {
  const infraction = {
    idInfracao: randomUUID(),
    status: 'ABERTA',
    valor: reaisFromCents(charge.amountInCents).toFixed(2),
    tipoSituacao: 'golpe',
    ...given,
  };
  charge.details['infractions'] = [...infractionsIn(charge), infraction];
  return infraction;
}

const printed = (charge: EmulatedCharge, each: EmulatedInfraction): object => ({
  idInfracao: each.idInfracao,
  endToEndId: charge.pix[0]?.endToEndId,
  protocolo: '1313',
  dataTransacao: charge.pix[0]?.paidAt.toISOString(),
  valor: each.valor,
  chave: charge.details['chave'],
  status: each.status,
  razao: 'Solicitacao de devolução',
  tipoSituacao: each.tipoSituacao,
  comentario: 'Maria comprou de uma loja falsa',
  ...(each.defesa !== undefined && { defesa: each.defesa }),
  identificadorTicket: [94, 95],
  dadosAnalise: {
    abertura: each.abertura.toISOString(),
    prazoFinalizacao: each.prazoFinalizacao.toISOString(),
    ...(each.recebimentoDefesa && { recebimentoDefesa: each.recebimentoDefesa.toISOString() }),
  },
  origem: { nomeParticipante: 'BANCO XYZ', conta: '10001', nome: 'Fulano de Tal', documento: '80000000000' },
  destino: { nomeParticipante: 'Efí S/A', conta: '10001', nome: 'Loja', documento: '80000000000' },
  criadoEm: each.abertura.toISOString(),
  atualizadoEm: (each.recebimentoDefesa ?? each.abertura).toISOString(),
});

interface Options {
  base: string;
  ledger: Ledger;
  has: Switches<BacenSwitch>['isOn'];
  refused: (status: number, type: string, nome: string, violations?: readonly Violation[]) => Reply;
}

/** Here Efí keeps the standard's shape for all refusals. */
const problem = (status: number, type: string, razao?: string): Reply => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
    title: 'Operação Inválida',
    status,
    detail: 'A requisição que busca apresentar uma defesa de infração não respeita o schema.',
    ...(razao && { violacoes: [{ razao, propriedade: 'body.infractionId' }] }),
  },
});

const insufficientScope: Reply = {
  status: 403,
  body: { error: 'insufficient_scope', error_description: 'Access token has insufficient scope' },
};

/** dev.efipay.com.br, "Endpoints exclusivos Efí": "Listar infrações MED da conta" and "Submeter defesa de infração MED". */
export function bacenInfractionRoutes(options: Options): Route[] {
  const { base, ledger, has } = options;
  const permitted =
    (reply: Route['reply']): Route['reply'] =>
    (exchange) =>
      has('noInfractions') ? insufficientScope : reply(exchange);
  const all = () =>
    ledger.charges.flatMap((charge) => infractionsIn(charge).map((infraction) => ({ charge, infraction })));

  const list = listRoute(options, ['gn/infracoes', 'InfracoesConsultaInvalida'], (isIn) =>
    all()
      .filter(({ infraction }) => isIn(infraction.abertura))
      .map(({ charge, infraction }) => printed(charge, infraction)),
  );

  function defend({ parameters: [id], json }: Exchange): Reply {
    const { analise, justificativa } = json;
    if (!['aceito', 'rejeitado'].includes(String(analise)) || typeof justificativa !== 'string')
      return problem(400, 'InfracoesConsultaInvalida');
    const infraction = all().find((each) => each.infraction.idInfracao === id)?.infraction;
    if (!infraction) return problem(404, 'InfracaoNaoEncontrada');
    if (infraction.recebimentoDefesa)
      return problem(409, 'InfracaoOperacaoInvalida', 'A defesa para essa infração já foi criada.');
    if (infraction.prazoFinalizacao <= ledger.now() || infraction.status !== 'ABERTA')
      return problem(422, 'InfracaoOperacaoInvalida', 'O prazo para defesa foi excedido.');
    Object.assign(infraction, {
      status: 'EM_DEFESA',
      analise,
      defesa: justificativa,
      recebimentoDefesa: ledger.now(),
    });
    return { status: 201, body: 'Defesa de infração MED criada' };
  }

  return [
    { ...list, operation: 'list_disputes', reply: permitted((exchange) => list.reply(exchange)) },
    {
      operation: 'answer',
      method: 'POST',
      path: new RegExp(`${base}/gn/infracoes/([^/]+)/defesa`),
      reply: permitted(defend),
    },
  ];
}
