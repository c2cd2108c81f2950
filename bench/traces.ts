// Measures what exporting traces costs: two nodes of one service, one of which exports every request, under load at the same
// time, so that they share whatever else the machine does. The cost is the processor time of a request, of the node, PostgreSQL
// and Redis together: where they share the cores, that is what bounds throughput. With OTEL_SDK_DISABLED=true both nodes are alike,
// and the ratios show what the measure is worth on this machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { type BenchNode, machine, median, print, quantile, row, setting, startBench } from './parts.ts';
import { processorSeconds } from './processor-time.ts';

const seconds = setting('BENCH_SECONDS', 2);
const rounds = setting('BENCH_ROUNDS', 20);
const warmUpRounds = 4;
const connections = 25;
const allowed = 1.03;
const exportedWithinMs = 1_200;

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
    without: bench,
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

  const load = async ({ baseUrl }: BenchNode, { path, request }: (typeof cases)[number]) => {
    const result = await autocannon({ url: baseUrl + path, connections, duration: seconds, ...request });
    if (result.errors + result.non2xx > 0) throw new Error(`requests to ${path} failed`);
    return result['2xx'];
  };

  /** Microseconds of processor time for each request, by each node. */
  async function costsOf(each: (typeof cases)[number]) {
    const processes = [[nodes.without.pid], [nodes.with.pid], bench.engines];
    const used = () => Promise.all(processes.map(processorSeconds));
    const before = await used();
    const [without, traced] = await Promise.all([load(nodes.without, each), load(nodes.with, each)]);
    // What is exported later is part of the cost.
    await delay(exportedWithinMs);
    const [own = 0, own2 = 0, engines = 0] = (await used()).map((after, at) => after - (before[at] ?? 0));
    const shared = engines / (without + traced);
    return { without: 1e6 * (own / without + shared), with: 1e6 * (own2 / traced + shared) };
  }

  const costs = cases.map(() => ({ without: [] as number[], with: [] as number[] }));
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [index, each] of cases.entries()) {
      const cost = await costsOf(each);
      if (round < 0) continue;
      costs[index]?.without.push(cost.without);
      costs[index]?.with.push(cost.with);
    }
  }
  const ratios = costs.map((of) => of.with.map((cost, at) => cost / (of.without[at] ?? Number.NaN)));
  print(
    `${machine}, ${connections} connections to each node at once, ${rounds} rounds of ${seconds} s`,
    '',
    row('case', 'µs without traces', 'µs with traces', 'median of ratios', 'middle half of ratios'),
    row('---', '---:', '---:', '---:', '---:'),
    ...cases.map(({ name }, index) => {
      const of = costs[index] ?? { with: [], without: [] };
      const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios[index] ?? [], q).toFixed(3));
      const shown = [median(of.without), median(of.with)].map((each) => each.toFixed(0));
      return row(name, ...shown, middle ?? '', `${low} to ${high}`);
    }),
  );
  collector.kill();
  await bench.stop();
  return ratios.every((of) => median(of) <= allowed);
}

if (process.argv[2] === 'collect') collect();
else process.exit((await measure()) ? 0 : 1);
