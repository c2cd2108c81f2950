// Measures the service against bare servers on the same machine, database and run: ratios, not absolutes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { machine, median, print, row, setting, startBench } from './parts.ts';

const connections = 50;
const seconds = setting('BENCH_SECONDS', 4);
const warmUpRounds = 2;
const rounds = setting('BENCH_ROUNDS', 3);

const fields =
  'id amount currency status provider createdAt description externalId pixCopyPaste pixQrCodeBase64 expiresAt confirmedAt payerName payerDocument payerEmail isTest metadata';

interface Load {
  rate: number;
  p50: number;
  p99: number;
}

interface Case {
  name: string;
  request: autocannon.Request & { url: string };
  /** The case that it is compared with, and what the comparison is called. */
  against?: readonly [name: string, text: string];
}

async function startFloor(...args: string[]) {
  const floor = fork(fileURLToPath(new URL('floor.ts', import.meta.url)), args);
  const [port] = (await once(floor, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => floor.kill() };
}

async function load({ request }: Case): Promise<Load> {
  const result = await autocannon({ connections, duration: seconds, ...request });
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${request.url} failed`);
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
}

const bench = await startBench();
const { organizationId, key } = await bench.newTenant('Bench');

const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
const input = { amount: 10.0, description: 'Bench', externalId: 'order-1' };
const createBody = JSON.stringify(input);
const response = await fetch(`${bench.baseUrl}/v1/payments`, { method: 'POST', headers, body: createBody });
const template = await response.text();
const { id } = JSON.parse(template) as { id: string };
const floor = await startFloor(bench.databaseUrl, organizationId, template);

const post = (url: string, body: string) => ({ url, method: 'POST' as const, headers, body });
const graphql = (query: string, variables: object) =>
  post(`${bench.baseUrl}/graphql`, JSON.stringify({ query, variables }));

const cases: readonly Case[] = [
  { name: 'floor: read', request: { url: `${floor.baseUrl}/v1/payments/${id}` } },
  {
    name: 'REST: read',
    request: { url: `${bench.baseUrl}/v1/payments/${id}`, headers },
    against: ['floor: read', 'the floor'],
  },
  { name: 'floor: create', request: post(`${floor.baseUrl}/v1/payments`, createBody) },
  {
    name: 'REST: create',
    request: post(`${bench.baseUrl}/v1/payments`, createBody),
    against: ['floor: create', 'the floor'],
  },
  {
    name: 'GraphQL: read',
    request: graphql(`query ($id: ID!) { payment(id: $id) { ${fields} } }`, { id }),
    against: ['REST: read', 'REST'],
  },
  {
    name: 'GraphQL: create',
    request: graphql(
      `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { ${fields} } }`,
      { input },
    ),
    against: ['REST: create', 'REST'],
  },
];

// The service is much more code than the floor, and compiled as it is used.
for (let round = 0; round < warmUpRounds; round++) {
  for (const each of cases) await load(each);
}
const results = new Map<string, Load[]>(cases.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const each of cases) results.get(each.name)?.push(await load(each));
}
const memory = await residentMegabytes(bench.pid);

const medianOf = (name: string, figure: keyof Load): number =>
  median((results.get(name) ?? []).map((each) => each[figure]));

function ratio({ name, against }: Case): string {
  if (!against) return '';
  const [other, text] = against;
  const rates = (results.get(other) ?? []).map(({ rate }) => rate);
  const ratios = (results.get(name) ?? []).map(({ rate }, round) => rate / (rates[round] ?? Number.NaN));
  return `${median(ratios).toFixed(2)} of ${text}`;
}

print(
  `${machine}, ${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s after ${warmUpRounds} of warm-up`,
  '',
  row('case', 'requests/s', 'p50 ms', 'p99 ms', 'ratio'),
  row('---', '---:', '---:', '---:', '---'),
  ...cases.map((each) =>
    row(
      each.name,
      Math.round(medianOf(each.name, 'rate')),
      medianOf(each.name, 'p50'),
      medianOf(each.name, 'p99'),
      ratio(each),
    ),
  ),
  '',
  `Resident memory of the service after the run: ${memory} MB`,
);

floor.stop();
await bench.stop();
process.exit(0);
