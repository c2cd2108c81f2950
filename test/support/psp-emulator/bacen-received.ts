import type { BacenSwitch } from './bacen-bank.ts';
import { pixOf, type Violation, written } from './bacen-wire.ts';
import type { Ledger } from './ledger.ts';
import type { Reply, Route } from './psp.ts';
import type { Switches } from './switches.ts';

interface Options {
  /** Path of the API up to its version. */
  base: string;
  ledger: Ledger;
  has: Switches<BacenSwitch>['isOn'];
  refused: (status: number, type: string, nome: string, violations?: readonly Violation[]) => Reply;
}

/** RFC 3339, section 5.6. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * `GET /pix`, "Consultar Pix recebidos" of the API Pix 2.9.0: `inicio` and `fim` are required, `paginacao.paginaAtual`
 * begins with 0, `paginacao.itensPorPagina` is 100 unless said otherwise and at most 1000 (PixConsultados, Paginacao,
 * error PixConsultaInvalida).
 */
export function bacenReceivedRoute({ base, ledger, has, refused }: Options): Route {
  return {
    operation: 'list',
    method: 'GET',
    path: new RegExp(`${base}/pix`),
    reply({ query }) {
      const [inicio, fim] = [query.get('inicio') ?? '', query.get('fim') ?? ''];
      const [from, to] = [new Date(inicio), new Date(fim)];
      const paginaAtual = Number(query.get('paginacao.paginaAtual') ?? 0);
      const itensPorPagina = Number(query.get('paginacao.itensPorPagina') ?? 100);
      const isPage = paginaAtual >= 0 && itensPorPagina >= 1 && itensPorPagina <= 1_000;
      if (!dateTime.test(inicio) || !dateTime.test(fim) || to < from || !isPage) {
        return refused(400, 'PixConsultaInvalida', 'consulta_invalida');
      }
      const all = ledger.charges.flatMap((charge) =>
        charge.pix
          .filter((pix) => pix.paidAt >= from && pix.paidAt <= to && ledger.isListed(pix))
          .map((pix) => ({ charge, pix })),
      );
      const page = all.slice(paginaAtual * itensPorPagina, (paginaAtual + 1) * itensPorPagina);
      const body = {
        parametros: {
          inicio,
          fim,
          paginacao: {
            paginaAtual,
            itensPorPagina,
            quantidadeDePaginas: Math.max(Math.ceil(all.length / itensPorPagina), 1),
            quantidadeTotalDeItens: all.length,
          },
        },
        pix: page.map(({ charge, pix }) => pixOf(charge, pix, has, true)),
      };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: written(body, has) };
    },
  };
}
