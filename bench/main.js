// Measures the service against bare servers on the same machine, database and run: ratios, not absolutes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median, startBench } from './parts.js';

const connections = 50;
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmUpRounds = 2;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

const fields =
  'id amount currency status provider createdAt description externalId pixCopyPaste pixQrCodeBase64 expiresAt confirmedAt payerName payerDocument payerEmail isTest metadata';

async function startFloor(...args) {
  const floor = fork(fileURLToPath(new URL('floor.js', import.meta.url)), args);
  const [port] = await once(floor, 'message');
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => floor.kill() };
}

async function load(request, duration) {
  const result = await autocannon({ connections, duration, ...request });
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${request.url} failed`);
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

async function residentMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
}

const bench = await startBench();
const { service } = bench;
const { organizationId, key } = await bench.newTenant('Bench');

const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
const createBody = JSON.stringify({ amount: 10.0, description: 'Bench', externalId: 'order-1' });
const response = await fetch(`${service.baseUrl}/v1/payments`, { method: 'POST', headers, body: createBody });
const template = await response.text();
const { id } = JSON.parse(template);
const floor = await startFloor(bench.databaseUrl, organizationId, template);

const post = (url, body) => ({ url, method: 'POST', headers, body });
const graphql = (query, variables) =>
  post(`${service.baseUrl}/graphql`, JSON.stringify({ query, variables }));

const cases = {
  'floor: read': { url: `${floor.baseUrl}/v1/payments/${id}` },
  'REST: read': { url: `${service.baseUrl}/v1/payments/${id}`, headers },
  'floor: create': post(`${floor.baseUrl}/v1/payments`, createBody),
  'REST: create': post(`${service.baseUrl}/v1/payments`, createBody),
  'GraphQL: read': graphql(`query ($id: ID!) { payment(id: $id) { ${fields} } }`, { id }),
  'GraphQL: create': graphql(
    `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { ${fields} } }`,
    { input: JSON.parse(createBody) },
  ),
};

const results = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
// The service is much more code than the floor, and compiled as it is used.
for (let round = 0; round < warmUpRounds; round++) {
  for (const request of Object.values(cases)) await load(request, seconds);
}
for (let round = 0; round < rounds; round++) {
  for (const [name, request] of Object.entries(cases)) results[name].push(await load(request, seconds));
}
const memory = await residentMegabytes(service.pid);

const ratio = (name, to) => {
  const each = results[name].map(({ rate }, round) => rate / results[to][round].rate);
  return median(each).toFixed(2);
};

const ratios = {
  'REST: read': `${ratio('REST: read', 'floor: read')} of the floor`,
  'REST: create': `${ratio('REST: create', 'floor: create')} of the floor`,
  'GraphQL: read': `${ratio('GraphQL: read', 'REST: read')} of REST`,
  'GraphQL: create': `${ratio('GraphQL: create', 'REST: create')} of REST`,
};

const row = (...cells) => `| ${cells.join(' | ')} |`;
const lines = [
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}, ${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s after ${warmUpRounds} of warm-up`,
  '',
  row('case', 'requests/s', 'p50 ms', 'p99 ms', 'ratio'),
  row('---', '---:', '---:', '---:', '---'),
  ...Object.entries(results).map(([name, each]) =>
    row(
      name,
      Math.round(median(each.map(({ rate }) => rate))),
      median(each.map(({ p50 }) => p50)),
      median(each.map(({ p99 }) => p99)),
      ratios[name] ?? '',
    ),
  ),
  '',
  `Resident memory of the service after the run: ${memory} MB`,
];
process.stdout.write(`${lines.join('\n')}\n`);

floor.stop();
await bench.stop();
process.exit(0);
