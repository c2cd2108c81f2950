// Measures live subscriptions: what thousands of payers who watch their payments cost a node, and how soon they learn of it.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMegabytes } from './memory.ts';
import { machine, median, print, quantile, setting, startBench, type Tenant } from './parts.ts';
import { processorSeconds } from './processor-time.ts';

const subscriptions = setting('BENCH_SUBSCRIPTIONS', 5_000);
const paid = setting('BENCH_PAYMENTS', 300);
const idleSeconds = 20;
/** A node allows 1,000 connections of an address and 2,000 of an organization. */
const perTenant = 1_000;
const atOnce = 20;
const query = 'subscription ($id: ID!) { paymentUpdated(id: $id) { id status confirmedAt } }';

interface Watcher {
  tenant: Tenant;
  paymentId: string;
  /** Resolves at the first event in which the payment is completed, by `performance.now()`. */
  completed: Promise<number>;
}

const bench = await startBench();

async function post<Posted>({ key }: Tenant, path: string, body: object): Promise<Posted> {
  const response = await fetch(bench.baseUrl + path, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Posted;
}

/** Watches as a payer's page does, with a connection and a token of its own. */
function watch(
  token: string,
  paymentId: string,
  localAddress: string,
): Promise<{ completed: Promise<number> }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${bench.baseUrl}/graphql`,
      {
        method: 'POST',
        agent: false,
        localAddress,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'text/event-stream',
        },
      },
      (response) => {
        response.setEncoding('utf8');
        response.once('data', () => {
          const completed = new Promise<number>((complete) => {
            response.on('data', (text: string) => {
              if (text.includes('"completed"')) complete(performance.now());
            });
          });
          resolve({ completed });
        });
        if (response.statusCode !== 200) reject(new Error(`a subscription: ${response.statusCode}`));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ query, variables: { id: paymentId } }));
  });
}

async function open(tenant: Tenant, address: string): Promise<Watcher> {
  const { id: paymentId } = await post<{ id: string }>(tenant, '/v1/payments', { amount: 10 });
  const { token } = await post<{ token: string }>(tenant, `/v1/payments/${paymentId}/token`, {});
  return { tenant, paymentId, ...(await watch(token, paymentId, address)) };
}

const watchers: Watcher[] = [];
const before = await residentMegabytes(bench.pid);
for (let group = 0; watchers.length < subscriptions; group++) {
  const tenant = await bench.newTenant(`Tenant ${group}`);
  const size = Math.min(perTenant, subscriptions - watchers.length);
  for (let opened = 0; opened < size; opened += atOnce) {
    const opening = Array.from({ length: Math.min(atOnce, size - opened) }, () =>
      open(tenant, `127.0.0.${group + 2}`),
    );
    watchers.push(...(await Promise.all(opening)));
  }
}
const opened = await residentMegabytes(bench.pid);

const usedBefore = await Promise.all([processorSeconds([bench.pid]), processorSeconds(bench.engines)]);
await delay(idleSeconds * 1000);
const usedAfter = await Promise.all([processorSeconds([bench.pid]), processorSeconds(bench.engines)]);
const [own = 0, engines = 0] = usedAfter.map(
  (after, at) => (100 * (after - (usedBefore[at] ?? 0))) / idleSeconds,
);

const latencies: number[] = [];
const step = Math.floor(watchers.length / paid);
for (const { tenant, paymentId, completed } of watchers.filter((_, at) => at % step === 0).slice(0, paid)) {
  const paidAt = performance.now();
  await post(tenant, `/v1/sandbox/payments/${paymentId}/pay`, {});
  latencies.push((await completed) - paidAt);
}
const after = await residentMegabytes(bench.pid);

print(
  machine,
  `${watchers.length} live subscriptions on one node, each on a connection of its own: ${opened} MB resident, ${after} MB later (${before} MB before)`,
  `Nothing happens: ${own.toFixed(1)} % of a core, PostgreSQL and Redis ${engines.toFixed(1)} %`,
  `From the request that pays until its payer's page knows: p50 ${median(latencies).toFixed(0)} ms, p95 ${quantile(latencies, 0.95).toFixed(0)} ms (${latencies.length} payments)`,
);

await bench.stop();
process.exit(0);
