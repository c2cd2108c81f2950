// Measures what exporting traces costs: two nodes of one service, one of which exports every request.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { machine, median, print, row, setting, startBench } from './parts.ts';

const seconds = setting('BENCH_SECONDS', 4);
const rounds = setting('BENCH_ROUNDS', 10);
const warmUpRounds = 2;
const connections = 50;
const wanted = 0.97;

/** A collector that keeps nothing, in a process of its own. */
function collect(): void {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(): Promise<boolean> {
  const collector = fork(fileURLToPath(import.meta.url), ['collect']);
  const [port] = (await once(collector, 'message')) as [number];
  const bench = await startBench();
  const { key } = await bench.newTenant('Traces');
  const nodes = {
    without: bench.baseUrl,
    with: await bench.startNode({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }),
  };
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ amount: 10.0, description: 'Bench' });
  const created = await fetch(`${bench.baseUrl}/v1/payments`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as { id: string };
  const cases = [
    { name: 'read', path: `/v1/payments/${id}`, request: { headers } },
    { name: 'create', path: '/v1/payments', request: { method: 'POST' as const, headers, body } },
  ];

  async function rateOf(baseUrl: string, { path, request }: (typeof cases)[number]): Promise<number> {
    const result = await autocannon({ url: baseUrl + path, connections, duration: seconds, ...request });
    if (result.errors + result.non2xx > 0) throw new Error(`requests to ${path} failed`);
    return result.requests.average;
  }

  const rates = cases.map(() => ({ without: [] as number[], with: [] as number[] }));
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [index, each] of cases.entries()) {
      // In turns, so that neither is always the first.
      const names = round % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const);
      for (const name of names) {
        const rate = await rateOf(nodes[name], each);
        if (round >= 0) rates[index]?.[name].push(rate);
      }
    }
  }
  const shares = rates.map((of) => median(of.with.map((rate, at) => rate / (of.without[at] ?? Number.NaN))));
  print(
    `${machine}, ${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s`,
    '',
    row('case', 'without traces/s', 'with traces/s', 'median of ratios', 'lowest', 'highest'),
    row('---', '---:', '---:', '---:', '---:', '---:'),
    ...cases.map(({ name }, index) => {
      const of = rates[index] ?? { with: [], without: [] };
      const ratios = of.with.map((rate, at) => rate / (of.without[at] ?? Number.NaN));
      const figures = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((each) =>
        each.toFixed(3),
      );
      return row(name, Math.round(median(of.without)), Math.round(median(of.with)), ...figures);
    }),
  );
  collector.kill();
  await bench.stop();
  return shares.every((share) => share >= wanted);
}

if (process.argv[2] === 'collect') collect();
else process.exit((await measure()) ? 0 : 1);
