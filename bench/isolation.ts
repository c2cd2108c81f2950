// Measures what a PSP that hangs costs the creates at another one.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { machine, median, print, quantile, row, setting, startBench } from './parts.ts';
import { credentialAt, startPsp } from './psp.ts';

const seconds = setting('BENCH_SECONDS', 12);
const rounds = setting('BENCH_ROUNDS', 6);
const healthyClients = 20;
const hangingClients = 20;
/** From a response to the next create of the same client. */
const pauseMs = 200;
/** What a caller waits after a 500 before it tries again, more or less. */
const retryMs = 1_000;
const wanted = 1.5;

interface Figures {
  creates: number;
  p50: number;
  p99: number;
}

const bench = await startBench();
const database = new pg.Client({ connectionString: bench.databaseUrl });
await database.connect();
// A process of its own for each, so that one that hangs takes nothing from the other.
const healthyPsp = await startPsp();
const hangingPsp = await startPsp();
await hangingPsp.fault({ kind: 'hang' });
const { id: organizationId } = await bench.pix('org', 'create', '--name', 'Isolation');
const createKey = ['key', 'create', '--org', organizationId, '--mode', 'live'];
const { key } = await bench.pix<{ key: string }>(...createKey);

const healthy = await credentialAt(bench, organizationId, healthyPsp);
/** One for each round: a breaker that is open from the round before would let nothing hang. */
const hanging: string[] = [];
for (let round = 0; round < rounds; round++) {
  hanging.push(await credentialAt(bench, organizationId, hangingPsp));
}
const agent = new Agent({ headersTimeout: 0 });

async function create(credentialId: string): Promise<number> {
  const { statusCode, body } = await request(`${bench.baseUrl}/v1/payments`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10, credentialId }),
  });
  await body.dump();
  return statusCode;
}

async function createHealthy(until: number, timesMs: number[]): Promise<void> {
  await delay(Math.random() * pauseMs);
  while (performance.now() < until) {
    const startedAt = performance.now();
    const statusCode = await create(healthy);
    if (statusCode !== 201) throw new Error(`a create at the healthy credential got ${statusCode}`);
    timesMs.push(performance.now() - startedAt);
    await delay(pauseMs);
  }
}

const counts = { hung: 0, refused: 0 };

async function createHanging(credentialId: string, until: number): Promise<void> {
  await delay(Math.random() * pauseMs);
  while (performance.now() < until) {
    const startedAt = performance.now();
    if ((await create(credentialId)) === 201) throw new Error('a create at the hanging credential succeeded');
    counts[performance.now() - startedAt > 1_000 ? 'hung' : 'refused'] += 1;
    await delay(retryMs * (0.5 + Math.random()));
  }
}

/** What was made before is not asked about any more, so that every measurement begins alike. */
async function forgetPending(): Promise<void> {
  for (const table of ['payment', 'payment_attempt']) {
    await database.query(`UPDATE ${table} SET next_check_at = NULL WHERE next_check_at IS NOT NULL`);
  }
  await database.query('DELETE FROM payment_check');
}

const together = (count: number, run: () => Promise<void>) => Promise.all(Array.from({ length: count }, run));

/** The times of the healthy creates, while others hang at `hangingId` where it is given. */
async function measure(hangingId?: string): Promise<Figures> {
  await forgetPending();
  const until = performance.now() + seconds * 1_000;
  const timesMs: number[] = [];
  const others = hangingId && together(hangingClients, () => createHanging(hangingId, until));
  await together(healthyClients, () => createHealthy(until, timesMs));
  await others;
  return { creates: timesMs.length, p50: median(timesMs), p99: quantile(timesMs, 0.99) };
}

await measure();
const results: { alone: Figures; beside: Figures }[] = [];
for (const [round, hangingId] of hanging.entries()) {
  // Both orders come equally often, because what is measured later has a larger database.
  const isAloneFirst = round % 2 === 0;
  const first = await measure(isAloneFirst ? undefined : hangingId);
  const second = await measure(isAloneFirst ? hangingId : undefined);
  results.push(isAloneFirst ? { alone: first, beside: second } : { alone: second, beside: first });
}

const figures = ({ creates, p50, p99 }: Figures) => [creates, p50.toFixed(1), p99.toFixed(1)];
/** Other work on the machine hits single rounds: their median stands for all. */
const alone = median(results.map((each) => each.alone.p99));
const beside = median(results.map((each) => each.beside.p99));
const ratio = beside / alone;
print(
  `${machine}, ${healthyClients} clients at a healthy credential (${pauseMs} ms between creates), ${hangingClients} at one that hangs, ${rounds} interleaved rounds of ${seconds} s`,
  '',
  row('creates alone', 'p50 ms', 'p99 ms', 'creates beside', 'p50 ms', 'p99 ms', 'ratio of p99'),
  row(...Array.from({ length: 7 }, () => '---:')),
  ...results.map((each) =>
    row(...figures(each.alone), ...figures(each.beside), (each.beside.p99 / each.alone.p99).toFixed(2)),
  ),
  '',
  `p99 alone ${alone.toFixed(1)} ms, beside a PSP that hangs ${beside.toFixed(1)} ms (medians of the rounds): ratio ${ratio.toFixed(2)}, wanted at most ${wanted}`,
  `Creates at the PSP that hangs: ${counts.hung} hung to their end, ${counts.refused} were refused at once by its breaker`,
);

healthyPsp.stop();
hangingPsp.stop();
await agent.destroy();
await database.end();
await bench.stop();
process.exit(ratio <= wanted ? 0 : 1);
