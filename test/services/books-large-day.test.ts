import { afterAll, beforeAll, expect } from '@jest/globals';
import { windowOfDay } from '../../src/domain/books/import-schedule.ts';
import { operatorFor } from '../../src/services/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { boundMs, longTest } from '../support/chance.ts';
import { freshDatabase, query } from '../support/database.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import type { DefinePsp, Exchange, Reply } from '../support/psp-emulator/psp.ts';

const day = '2026-06-20';
const pixCount = 100_000;
const pageSize = 100;
/** Each of these is missing here, and the one after it there. */
const every = 1_000;
const { since, until } = windowOfDay(day);

let clock = new Date(since.getTime() + 43_200_000);
let app: TestApp;
let live: LiveOrganization;

const hexOf = (index: number): string => index.toString(16).padStart(8, '0');

/** The bank's list is made page by page, so that the memory measured is the service's. */
function page({ query: asked }: Exchange): Reply {
  const at = Number(asked.get('paginacao.paginaAtual') ?? 0);
  const listed = pixCount - pixCount / every;
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
          quantidadeTotalDeItens: listed,
        },
      },
      pix: indexes.map((index) => ({
        endToEndId: `E${String(index).padStart(31, '0')}`,
        txid: `${hexOf(index)}${'0000700080000000'.padEnd(24, '0')}`,
        valor: '10.00',
        horario: new Date(since.getTime() + index * 800).toISOString(),
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

/** As if each had been created, paid and confirmed. */
async function insertPayments(organizationId: string, credentialId: string): Promise<void> {
  const insert = (into: string, values: string, where = 'true') =>
    query(
      app.databaseUrl,
      `INSERT INTO ${into} SELECT ${values}
       FROM generate_series(0, $3::int - 1) AS n,
         LATERAL (SELECT $4::timestamptz + n * interval '800 milliseconds' AS at) AS t,
         LATERAL (SELECT (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid AS id) AS i
       WHERE $1::uuid IS NOT NULL AND $2::uuid IS NOT NULL AND ${where}`,
      [organizationId, credentialId, pixCount, since],
    );
  await insert(
    `payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id, created_at, expires_at)`,
    `id, $1::uuid, 'live', 'completed', 1000, 'bacen', $2::uuid, id, at, at`,
    `n % ${every} <> 0`,
  );
  await insert(
    'payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, created_at)',
    `id, id, 0, 'bacen', $2::uuid, 'default', 'created', at`,
    `n % ${every} <> 0`,
  );
  await insert(
    'received_pix (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)',
    `$1::uuid, 'E' || lpad(n::text, 31, '0'), id, id, 1000, at, at`,
    `n % ${every} <> 0`,
  );
}

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock });
  live = await openLiveOrganization(app, () => clock, ['bacen', large]);
});

afterAll(async () => {
  await live.stop();
  await app.stop();
});

longTest(
  'a day of 100,000 Pix is imported and compared within three minutes, in bounded memory',
  async () => {
    await insertPayments(live.organizationId, live.accounts[0]?.credentialId ?? '');
    clock = new Date(until.getTime() + 600_000);
    await app.services.statementImport.plan();
    const before = process.memoryUsage.rss();
    let peak = before;
    const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
    const startedAt = performance.now();
    const { dueWork } = app.services;
    const [claimed] = await dueWork.claim('statement_day', { limit: 1, slots: 1, slotsOf: new Map() });
    while (await dueWork.settle('statement_day', claimed?.id ?? ''));
    const milliseconds = performance.now() - startedAt;
    clearInterval(sampling);
    const [book] = await app.services.books.list(operatorFor(live.organizationId), { from: day, to: day });
    const megabytes = Math.round((peak - before) / 1_048_576);
    console.info(`imported in ${Math.round(milliseconds)} ms, at most ${megabytes} MB more`);
    const apart = pixCount / every;
    expect(book).toMatchObject({
      problem: null,
      pixCount: pixCount - apart,
      received: (pixCount - apart) * 10,
      ownPixCount: pixCount - apart,
      openDifferences: 2 * apart,
    });
    expect(milliseconds).toBeLessThan(boundMs(180_000));
    // The bank's part included, which is in this process.
    expect(megabytes).toBeLessThan(400);
  },
  600_000,
);
