import type { BacenSwitch } from './bacen-bank.ts';
import { cobvOf } from './bacen-due-wire.ts';
import { cobOf, membersOf, pixOf, type Violation, written } from './bacen-wire.ts';
import { type EmulatedCharge, hasNoCharge, isDebit, type Ledger } from './ledger.ts';
import type { Exchange, Reply, Route } from './psp.ts';
import type { Switches } from './switches.ts';

interface Options {
  /** Path of the API up to its version. */
  base: string;
  ledger: Ledger;
  has: Switches<BacenSwitch>['isOn'];
  refused: (status: number, type: string, nome: string, violations?: readonly Violation[]) => Reply;
  statusOf: (charge: EmulatedCharge) => string;
}

/** RFC 3339, section 5.6. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The debtor, the state and the location are asked for in lists of charges alone; no charge here belongs to a lot. */
const isWanted = (charge: EmulatedCharge, status: string, query: URLSearchParams): boolean => {
  const { cpf, cnpj } = membersOf(charge.details['devedor']);
  return (
    (query.get('cpf') ?? cpf) === cpf &&
    (query.get('cnpj') ?? cnpj) === cnpj &&
    (query.get('status') ?? status) === status &&
    query.get('locationPresente') !== 'false' &&
    !query.has('loteCobVId')
  );
};

const members = {
  'gn/infracoes': 'infracoes',
  pix: 'pix',
  cob: 'cobs',
  cobv: 'cobs',
  rec: 'recs',
  cobr: 'cobsr',
};

type ListOptions = Pick<Options, 'base' | 'ledger' | 'has' | 'refused'>;

/**
 * `GET /pix`, "Consultar Pix recebidos", `GET /cob`, "Consultar lista de cobranças imediatas", and `GET /cobv`,
 * "Consultar lista de cobranças com vencimento", of the API Pix 2.9.0:
 * `inicio` and `fim` are required, of charges they bound the creation; `paginacao.paginaAtual` begins with 0,
 * `paginacao.itensPorPagina` is 100 unless said otherwise and at most 1000 (PixConsultados, CobsConsultadas,
 * CobsVConsultadas, Paginacao, errors PixConsultaInvalida, CobConsultaInvalida and CobVConsultaInvalida).
 */
export function listRoute(
  { base, ledger, has, refused }: ListOptions,
  [name, error]: [name: keyof typeof members, error: string],
  itemsIn: (isIn: (at: Date) => boolean, query: URLSearchParams) => object[],
): Route {
  return {
    operation: 'list',
    method: 'GET',
    path: new RegExp(`${base}/${name}`),
    reply({ query }: Exchange) {
      const [inicio, fim] = [query.get('inicio') ?? '', query.get('fim') ?? ''];
      const [from, to] = [new Date(inicio), new Date(fim)];
      const paginaAtual = Number(query.get('paginacao.paginaAtual') ?? 0);
      const itensPorPagina = Number(query.get('paginacao.itensPorPagina') ?? 100);
      const isPage = paginaAtual >= 0 && itensPorPagina >= 1 && itensPorPagina <= 1_000;
      const isTwice = query.has('cpf') && query.has('cnpj');
      if (!dateTime.test(inicio) || !dateTime.test(fim) || to < from || !isPage || isTwice) {
        return refused(400, error, 'consulta_invalida');
      }
      if (has('noFutureEnd') && to > ledger.now()) {
        const razao = 'O timestamp representado pelo parâmetro fim é inválido';
        return refused(400, error, 'consulta_invalida', [{ razao, propriedade: 'fim' }]);
      }
      const all = itemsIn((at) => at >= from && at <= to, query);
      const paginacao = {
        paginaAtual,
        itensPorPagina,
        quantidadeDePaginas: Math.max(Math.ceil(all.length / itensPorPagina), 1),
        quantidadeTotalDeItens: all.length,
      };
      const items = all.slice(paginaAtual * itensPorPagina, (paginaAtual + 1) * itensPorPagina);
      const body = {
        parametros: { inicio, fim, paginacao },
        [members[name]]: items,
      };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: written(body, has) };
    },
  };
}

export function bacenListRoutes(options: Options): Route[] {
  const { ledger, has, statusOf } = options;

  const charges = (
    kind: [name: 'cob' | 'cobv', error: string],
    print: (charge: EmulatedCharge, status: string, has: Options['has']) => object,
  ): Route =>
    listRoute(options, kind, (isIn, query) =>
      ledger.charges
        .filter((charge) => !isDebit(charge) && !hasNoCharge(charge))
        .filter(({ createdAt, due }) => isIn(createdAt) && (due !== undefined) === (kind[0] === 'cobv'))
        .filter((charge) => isWanted(charge, statusOf(charge), query))
        .map((charge) => print(charge, statusOf(charge), has)),
    );

  return [
    listRoute(options, ['pix', 'PixConsultaInvalida'], (isIn) =>
      ledger.charges.flatMap((charge) =>
        charge.pix
          .filter((pix) => isIn(pix.paidAt) && ledger.isListed(pix))
          .map((pix) => pixOf(charge, pix, has, true)),
      ),
    ),
    charges(['cob', 'CobConsultaInvalida'], cobOf),
    charges(['cobv', 'CobVConsultaInvalida'], cobvOf),
  ];
}
