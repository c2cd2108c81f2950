// Measures what a create adds to the time that its PSP takes, up to half of the load that the service can take.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { machine, median, print, quantile, row, setting, startBench } from './parts.ts';
import { credentialAt, startPsp } from './psp.ts';

const seconds = setting('BENCH_SECONDS', 10);
const rounds = setting('BENCH_ROUNDS', 3);
/** Creates a second, beside half of the most. */
const lowRates = [50, 200];
/** Of the PSP, for each request. */
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
const agent = new Agent({ connections: 1_000 });

let made = 0;

/** How many milliseconds it took. */
async function create(): Promise<number> {
  const credentialId = credentialIds[made++ % credentials];
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${bench.baseUrl}/v1/payments`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10, externalId: 'order-1', credentialId }),
  });
  await body.dump();
  if (statusCode !== 201) throw new Error(`a create got ${statusCode}`);
  return performance.now() - startedAt;
}

/** Creates a second by clients that never pause. */
async function mostPerSecond(): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  const madeBefore = made;
  const client = async () => {
    while (performance.now() < until) await create();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (made - madeBefore) / seconds;
}

/** The times of creates that begin at a constant rate, however long the others take. */
async function timesAt(perSecond: number): Promise<number[]> {
  const startedAt = performance.now();
  const creating: Promise<number>[] = [];
  for (let at = startedAt; at < startedAt + seconds * 1_000; at += 1_000 / perSecond) {
    const wait = at - performance.now();
    if (wait > 1) await delay(wait);
    creating.push(create());
  }
  return Promise.all(creating);
}

await mostPerSecond();
const most = await mostPerSecond();
const rates = [...lowRates, Math.round(most / 2)];
const results = new Map(rates.map((rate) => [rate, [] as number[][]]));
for (let round = 0; round < rounds; round++) {
  for (const rate of rates) results.get(rate)?.push(await timesAt(rate));
}

const overheads = (rate: number) =>
  [0.5, 0.9, 0.99].map((q) =>
    (median((results.get(rate) ?? []).map((times) => quantile(times, q))) - latencyMs).toFixed(1),
  );
print(
  `${machine}, a PSP that takes ${latencyMs} ms, ${Math.round(most)} creates a second by ${clients} clients, median of ${rounds} interleaved rounds of ${seconds} s`,
  '',
  row('creates a second', 'overhead: p50 ms', 'p90 ms', 'p99 ms'),
  row('---:', '---:', '---:', '---:'),
  ...rates.map((rate) => row(rate, ...overheads(rate))),
);

psp.stop();
await agent.destroy();
await bench.stop();
process.exit(0);
