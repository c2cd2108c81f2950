import type { BacenSwitch } from './bacen-bank.ts';
import { cobOf, pixOf, type Violation, written } from './bacen-wire.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
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

/**
 * `GET /pix`, "Consultar Pix recebidos", and `GET /cob`, "Consultar lista de cobranças imediatas", of the API Pix 2.9.0:
 * `inicio` and `fim` are required, of charges they bound the creation; `paginacao.paginaAtual` begins with 0,
 * `paginacao.itensPorPagina` is 100 unless said otherwise and at most 1000 (PixConsultados, CobsConsultadas, Paginacao,
 * errors PixConsultaInvalida and CobConsultaInvalida).
 */
export function bacenListRoutes({ base, ledger, has, refused, statusOf }: Options): Route[] {
  const route = (
    [name, error]: [name: 'pix' | 'cob', error: string],
    itemsIn: (isIn: (at: Date) => boolean) => object[],
  ): Route => ({
    operation: 'list',
    method: 'GET',
    path: new RegExp(`${base}/${name}`),
    reply({ query }: Exchange) {
      const [inicio, fim] = [query.get('inicio') ?? '', query.get('fim') ?? ''];
      const [from, to] = [new Date(inicio), new Date(fim)];
      const paginaAtual = Number(query.get('paginacao.paginaAtual') ?? 0);
      const itensPorPagina = Number(query.get('paginacao.itensPorPagina') ?? 100);
      const isPage = paginaAtual >= 0 && itensPorPagina >= 1 && itensPorPagina <= 1_000;
      if (!dateTime.test(inicio) || !dateTime.test(fim) || to < from || !isPage) {
        return refused(400, error, 'consulta_invalida');
      }
      const all = itemsIn((at) => at >= from && at <= to);
      const paginacao = {
        paginaAtual,
        itensPorPagina,
        quantidadeDePaginas: Math.max(Math.ceil(all.length / itensPorPagina), 1),
        quantidadeTotalDeItens: all.length,
      };
      const items = all.slice(paginaAtual * itensPorPagina, (paginaAtual + 1) * itensPorPagina);
      const body = {
        parametros: { inicio, fim, paginacao },
        [name === 'pix' ? 'pix' : 'cobs']: items,
      };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: written(body, has) };
    },
  });

  return [
    route(['pix', 'PixConsultaInvalida'], (isIn) =>
      ledger.charges.flatMap((charge) =>
        charge.pix
          .filter((pix) => isIn(pix.paidAt) && ledger.isListed(pix))
          .map((pix) => pixOf(charge, pix, has, true)),
      ),
    ),
    route(['cob', 'CobConsultaInvalida'], (isIn) =>
      ledger.charges
        .filter(({ createdAt }) => isIn(createdAt))
        .map((charge) => cobOf(charge, statusOf(charge), has)),
    ),
  ];
}
