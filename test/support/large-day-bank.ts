// node --import ./test/support/typescript.js test/support/large-day-bank.ts DAY COUNT EVERY, of which the second is not listed
import { windowOfDay } from '../../src/core/books/rules/import-schedule.ts';
import { defineBacen } from './psp-emulator/bacen.ts';
import { startEmulator } from './psp-emulator/core.ts';
import type { DefinePsp, Exchange, Reply } from './psp-emulator/psp.ts';

const [day = '', ...numbers] = process.argv.slice(2);
const [pixCount = 0, every = 0] = numbers.map(Number);
const pageSize = 100;
const { since } = windowOfDay(day);

const hexOf = (index: number): string => index.toString(16).padStart(8, '0');

function page({ query: asked }: Exchange): Reply {
  const at = Number(asked.get('paginacao.paginaAtual') ?? 0);
  const indexes = Array.from({ length: pageSize }, (_, index) => at * pageSize + index).filter(
    (index) => index % every !== 1,
  );
  return {
    status: 200,
    body: {
      parametros: {
        paginacao: {
          paginaAtual: at,
          itensPorPagina: pageSize,
          quantidadeDePaginas: pixCount / pageSize,
          quantidadeTotalDeItens: pixCount - pixCount / every,
        },
      },
      pix: indexes.map((index) => ({
        endToEndId: `E${String(index).padStart(31, '0')}`,
        txid: `${hexOf(index)}${'0000700080000000'.padEnd(24, '0')}`,
        valor: '10.00',
        horario: new Date(since.getTime() + (index * 86_400_000) / pixCount).toISOString(),
        devolucoes: [],
      })),
    },
  };
}

const large: DefinePsp = (ledger) => {
  const psp = defineBacen()(ledger);
  const routes = psp.routes.map((route) => (route.operation === 'list' ? { ...route, reply: page } : route));
  return { ...psp, routes };
};

const { settings } = await startEmulator(large);
process.stdout.write(`${JSON.stringify(settings)}\n`);
