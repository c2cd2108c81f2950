import type { BacenSwitch } from './bacen-bank.ts';
import { codesOf, keyOf, locationOf, membersOf, shownPixOf } from './bacen-wire.ts';
import type { EmulatedCharge } from './ledger.ts';
import type { Switches } from './switches.ts';

/** What a charge with a due date was made of, by its revision. */
export const revisionsOf = ({ details }: Pick<EmulatedCharge, 'details'>) =>
  details['revisions'] as Readonly<Record<string, Readonly<Record<string, unknown>>>[]>;

const recebedor = {
  logradouro: 'Rua 15 Numero 1200, Bairro São Luiz',
  cidade: 'São Paulo',
  uf: 'SP',
  cep: '70800100',
  cnpj: '56989000019533',
  nome: 'Padaria São José Ltda.',
};

/** CobVCompleta. An older revision has the state and the Pix of today. */
export function cobvOf(
  charge: EmulatedCharge,
  status: string,
  has: Switches<BacenSwitch>['isOn'],
  revisao = revisionsOf(charge).length - 1,
): object {
  const { calendario, devedor, valor, solicitacaoPagador, infoAdicionais } =
    revisionsOf(charge)[revisao] ?? {};
  const [location, criacao] = [locationOf(charge), charge.createdAt.toISOString()];
  return {
    ...(has('nulls') && { solicitacaoPagador: null, infoAdicionais: null, pix: null, pixCopiaECola: null }),
    calendario: { criacao, ...membersOf(calendario) },
    txid: charge.transactionId,
    revisao,
    loc: { id: 790, location, tipoCob: 'cobv', criacao },
    ...(!has('onlyLoc') && { location, ...codesOf(charge, has) }),
    status,
    devedor,
    recebedor,
    valor,
    ...keyOf(charge, has),
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais !== undefined && { infoAdicionais }),
    ...shownPixOf(charge, has),
  };
}
