// Measures what a create adds to the time that its PSP takes, up to half of the load that the service can take,
// and what a bare server adds at the same rates.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { forkServer } from './forked-server.ts';
import { machine, median, print, quantile, row, setting, startBench } from './parts.ts';
import { credentialAt, startPsp } from './psp.ts';

const seconds = setting('BENCH_SECONDS', 10);
const rounds = setting('BENCH_ROUNDS', 3);
/** Creates a second, beside half of the most. */
const lowRates = [50, 200];
/** How long the PSP takes for each request. */
const latencyMs = 50;
/** Each may have 32 creates at its PSP at once. */
const credentials = 8;
/** At once, to find out how much the service can take. */
const clients = 200;

const bench = await startBench();
const psp = await startPsp();
await psp.fault({ kind: 'slow', milliseconds: latencyMs });
const { id: organizationId } = await bench.pix('org', 'create', '--name', 'Overhead');
const { key } = await bench.pix<{ key: string }>('key', 'create', '--org', organizationId, '--mode', 'live');
const credentialIds: string[] = [];
while (credentialIds.length < credentials) {
  credentialIds.push(await credentialAt(bench, organizationId, psp));
}
const { baseUrl: pspUrl = '', appId = '' } = psp.settings;
const floor = await forkServer('overhead-floor.ts', bench.databaseUrl, organizationId, pspUrl, appId);
const servers = { service: bench.baseUrl, floor: floor.baseUrl };
type Server = keyof typeof servers;
const names = Object.keys(servers) as Server[];
const agent = new Agent({ connections: 1_000 });
const database = new pg.Client(bench.databaseUrl);
await database.connect();

let made = 0;

/** How many milliseconds it took; infinitely many if it was refused, as creates are that find a hundred before them. */
async function create(server: Server): Promise<number> {
  const credentialId = credentialIds[made++ % credentials];
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${servers[server]}/v1/payments`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10, externalId: 'order-1', credentialId }),
  });
  await body.dump();
  return statusCode === 201 ? performance.now() - startedAt : Infinity;
}

/** Nobody pays here, but where payers do, those who have not yet are left to the notifications that come all the time. */
const comeNotifications = () =>
  database.query(`INSERT INTO credential_traffic (credential_id, notified_at) SELECT id, now() FROM credential
    ON CONFLICT (credential_id) DO UPDATE SET notified_at = excluded.notified_at`);

/** Creates a second by clients that never pause. */
async function mostPerSecond(server: Server): Promise<number> {
  await comeNotifications();
  const until = performance.now() + seconds * 1_000;
  let succeeded = 0;
  const client = async () => {
    while (performance.now() < until) if ((await create(server)) < Infinity) succeeded += 1;
  };
  await Promise.all(Array.from({ length: clients }, client));
  return succeeded / seconds;
}

/** The times of creates that begin at a constant rate, however long the others take. */
async function timesAt(server: Server, perSecond: number): Promise<number[]> {
  await comeNotifications();
  const startedAt = performance.now();
  const creating: Promise<number>[] = [];
  for (let at = startedAt; at < startedAt + seconds * 1_000; at += 1_000 / perSecond) {
    const wait = at - performance.now();
    if (wait > 1) await delay(wait);
    creating.push(create(server));
  }
  return Promise.all(creating);
}

const most = { service: 0, floor: 0 };
for (let round = 0; round < 2; round++) {
  for (const name of names) most[name] = await mostPerSecond(name);
}
const rates = [...lowRates, Math.round(most.service / 2)];
const cases = rates.flatMap((rate) => names.map((server) => ({ server, rate, rounds: [] as number[][] })));
for (let round = 0; round < rounds; round++) {
  for (const each of cases) each.rounds.push(await timesAt(each.server, each.rate));
}

print(
  `${machine}, a PSP that takes ${latencyMs} ms, median of ${rounds} interleaved rounds of ${seconds} s`,
  `${clients} clients that never pause get ${Math.round(most.service)} creates a second, ${Math.round(most.floor)} of the floor`,
  '',
  row('creates a second', 'of', 'overhead: p50 ms', 'p90 ms', 'p99 ms', 'refused'),
  row('---:', '---', '---:', '---:', '---:', '---:'),
  ...cases.map(({ server, rate, rounds }) => {
    const overheads = [0.5, 0.9, 0.99].map((q) =>
      (median(rounds.map((times) => quantile(times, q))) - latencyMs).toFixed(1),
    );
    return row(rate, server, ...overheads, rounds.flat().filter((time) => time === Infinity).length);
  }),
);

floor.stop();
psp.stop();
await agent.destroy();
await database.end();
await bench.stop();
process.exit(0);
