// Measures the service against bare servers and peers on the same machine, database and run: ratios, not absolutes.
import { setTimeout as delay } from 'node:timers/promises';
import { forkServer } from './forked-server.ts';
import { type BenchRequest, generator, load, type Load } from './generator.ts';
import { compareWithRelease } from './last-release.ts';
import { residentMegabytes } from './memory.ts';
import { machine, median, print, row, setting, startBench } from './parts.ts';
import { installPeer } from './peers/install.ts';
import { processorSeconds } from './processor-time.ts';

const connections = 50;
const seconds = setting('BENCH_SECONDS', 4);
const warmUpRounds = 2;
const rounds = setting('BENCH_ROUNDS', 5);
/** V8 gives memory back some fifteen seconds after a load and what workers have to do for it. */
const restMs = 40_000;

const fields =
  'id amount currency status provider createdAt description externalId pixCopyPaste pixQrCodeBase64 expiresAt confirmedAt payerName payerDocument payerEmail isTest metadata';

/** The same of a row, as PostGraphile names it. */
const columns = fields.replace('id amount currency', 'rowId amountInCents').replace('isTest', 'mode');

interface Server {
  baseUrl: string;
  pid: number;
}

interface Case {
  name: string;
  server: Server;
  request: BenchRequest;
  /** The case that it is compared with, and what the comparison is called. */
  against?: readonly [name: string, text: string];
}

/** One round: the load, and the microseconds of processor time for each request, of the server and of its engines. */
interface Round extends Load {
  own: number;
  engines: number;
}

const bench = await startBench();
const { organizationId, key } = await bench.newTenant('Bench');

const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
const input = { amount: 10.0, description: 'Bench', externalId: 'order-1' };
const createBody = JSON.stringify(input);
const response = await fetch(`${bench.baseUrl}/v1/payments`, { method: 'POST', headers, body: createBody });
const template = await response.text();
const { id } = JSON.parse(template) as { id: string };
const ofTenant = [bench.databaseUrl, organizationId, template];
const floor = await forkServer('floor.ts', ...ofTenant);
const fastify = await forkServer(await installPeer('fastify'), ...ofTenant, bench.redisUrl);
// It needs Node 22.
const postgraphile =
  Number.parseInt(process.versions.node, 10) >= 22
    ? await forkServer(await installPeer('postgraphile'), bench.databaseUrl)
    : undefined;

const readAt = (server: Server) => ({
  server,
  request: { url: `${server.baseUrl}/v1/payments/${id}`, headers },
});
const createAt = (server: Server) => ({
  server,
  request: { url: `${server.baseUrl}/v1/payments`, method: 'POST' as const, headers, body: createBody },
});
const graphqlAt = (server: Server, query: string, variables: object) => ({
  server,
  request: {
    url: `${server.baseUrl}/graphql`,
    method: 'POST' as const,
    headers,
    body: JSON.stringify({ query, variables }),
  },
});

const cases: readonly Case[] = [
  { name: 'floor: read', ...readAt(floor) },
  { name: 'Fastify: read', ...readAt(fastify), against: ['floor: read', 'the floor'] },
  { name: 'REST: read', ...readAt(bench), against: ['floor: read', 'the floor'] },
  { name: 'floor: create', ...createAt(floor) },
  { name: 'Fastify: create', ...createAt(fastify), against: ['floor: create', 'the floor'] },
  { name: 'REST: create', ...createAt(bench), against: ['floor: create', 'the floor'] },
  ...(postgraphile
    ? [
        {
          name: 'PostGraphile: read',
          ...graphqlAt(postgraphile, `query ($id: UUID!) { paymentByRowId(rowId: $id) { ${columns} } }`, {
            id,
          }),
          against: ['REST: read', 'REST'] as const,
        },
      ]
    : []),
  {
    name: 'GraphQL: read',
    ...graphqlAt(bench, `query ($id: ID!) { payment(id: $id) { ${fields} } }`, { id }),
    against: ['REST: read', 'REST'],
  },
  {
    name: 'GraphQL: create',
    ...graphqlAt(
      bench,
      `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { ${fields} } }`,
      {
        input,
      },
    ),
    against: ['REST: create', 'REST'],
  },
];

async function measure({ server, request }: Case): Promise<Round> {
  const used = () => Promise.all([processorSeconds([server.pid]), processorSeconds(bench.engines)]);
  const before = await used();
  const result = await load(request, { connections, seconds });
  const [own = 0, engines = 0] = (await used()).map(
    (after, at) => (1e6 * (after - (before[at] ?? 0))) / result.requests,
  );
  return { ...result, own, engines };
}

// The service is much more code than the floor, and compiled as it is used.
for (let round = 0; round < warmUpRounds; round++) {
  for (const each of cases) await measure(each);
}
const results = new Map<string, Round[]>(cases.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const each of cases) results.get(each.name)?.push(await measure(each));
}
const memory = await residentMegabytes(bench.pid);
await delay(restMs);
const memoryAtRest = await residentMegabytes(bench.pid);

const medianOf = (name: string, figure: keyof Round): number =>
  median((results.get(name) ?? []).map((each) => each[figure]));

/** The median of the ratios of neighbouring rounds, which share the state of the machine. */
function ratioOf(name: string, other: string): number {
  const rates = (results.get(other) ?? []).map(({ rate }) => rate);
  return median((results.get(name) ?? []).map(({ rate }, round) => rate / (rates[round] ?? Number.NaN)));
}

const ratios = cases.flatMap(({ name, against }) =>
  against ? [{ name, text: against[1], ratio: ratioOf(name, against[0]) }] : [],
);

print(
  `${machine}, ${generator}, ${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s after ${warmUpRounds} of warm-up`,
  '',
  row('case', 'requests/s', 'p50 ms', 'p99 ms', 'µs of the server', 'µs of PostgreSQL and Redis', 'ratio'),
  row('---', '---:', '---:', '---:', '---:', '---:', '---'),
  ...cases.map(({ name }) => {
    const compared = ratios.find((each) => each.name === name);
    return row(
      name,
      Math.round(medianOf(name, 'rate')),
      medianOf(name, 'p50').toFixed(1),
      medianOf(name, 'p99').toFixed(1),
      Math.round(medianOf(name, 'own')),
      Math.round(medianOf(name, 'engines')),
      compared ? `${compared.ratio.toFixed(2)} of ${compared.text}` : '',
    );
  }),
  '',
  `Of the Fastify peer: read ${ratioOf('REST: read', 'Fastify: read').toFixed(2)}, create ${ratioOf('REST: create', 'Fastify: create').toFixed(2)}`,
  ...(postgraphile
    ? [`Of PostGraphile: GraphQL read ${ratioOf('GraphQL: read', 'PostGraphile: read').toFixed(2)}`]
    : []),
  `Resident memory of the service: ${memory} MB right after the run, ${memoryAtRest} MB ${restMs / 1000} s later`,
  ...compareWithRelease(ratios, memory),
);

for (const server of [floor, fastify, postgraphile]) server?.stop();
await bench.stop();
process.exit(0);
