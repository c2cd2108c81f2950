// Measures how long after its notification a payment is completed, at the load that fills an Asaas account's quota; with
// BENCH_LOST=1, how long after its Pix if no notification comes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { asaas } from '../test/support/psp-emulator/asaas.ts';
import { startEmulator } from '../test/support/psp-emulator/core.ts';
import { machine, print, quantile, setting, startBench } from './parts.ts';

const payments = setting('BENCH_PAYMENTS', 5_000);
/** Twelve hours of creates in so many minutes; nothing else is compressed but the payments' lives. */
const minutes = setting('BENCH_MINUTES', 6);
const paidShare = 0.7;
const lifeMinutes = 5;
const isLost = setting('BENCH_LOST', 0) === 1;
const wantedMs = isLost ? 600_000 : 5_000;
const pollMs = 20;

/** A CPF with its two check digits, as every payer is new. */
function documentOf(index: number): string {
  const digits = [...String(100_000_000 + index)].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((all, digit, at) => all + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

const bench = await startBench();
const database = new pg.Pool({ connectionString: bench.databaseUrl });
const folder = await mkdtemp(join(tmpdir(), 'pix-confirmations-'));
const emulator = await startEmulator(asaas);
emulator.quota.set({ requests: 25_000, windowSeconds: 12 * 3_600 });
emulator.switches.turn('lost', isLost);
const config = join(folder, 'settings.json');
await writeFile(config, JSON.stringify(emulator.settings));
const { id: organizationId } = await bench.pix('org', 'create', '--name', 'Confirmations');
const { key } = await bench.pix<{ key: string }>('key', 'create', '--org', organizationId, '--mode', 'live');
const about = ['--org', organizationId, '--provider', 'asaas', '--name', 'Asaas', '--config', config];
const credential = await bench.pix<{ notificationUrl: string }>(
  'credential',
  'create',
  ...about,
  '--default',
);
emulator.notifier.address = bench.baseUrl + new URL(credential.notificationUrl).pathname;

const paidAt = new Map<string, number>();
const timesMs: number[] = [];
const createsMs: number[] = [];
const failures: string[] = [];

async function create(index: number): Promise<string> {
  const startedAt = performance.now();
  const payer = { name: 'Maria da Silva', document: documentOf(index) };
  const response = await fetch(`${bench.baseUrl}/v1/payments`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10, payer, expirationMinutes: lifeMinutes }),
  });
  if (!response.ok) throw new Error(`a create got ${response.status}`);
  const { id } = (await response.json()) as { id: string };
  createsMs.push(performance.now() - startedAt);
  return id;
}

async function live(index: number): Promise<void> {
  const id = await create(index);
  if (Math.random() >= paidShare) return;
  await delay(Math.random() * (lifeMinutes * 60_000 - 15_000));
  const { rows } = await database.query<{ transactionId: string }>(
    `SELECT replace(attempt_id::text, '-', '') AS "transactionId" FROM payment WHERE id = $1`,
    [id],
  );
  paidAt.set(id, performance.now());
  await emulator.pay(rows[0]?.transactionId ?? '');
}

let isOver = false;

async function watch(): Promise<void> {
  while (!isOver || paidAt.size > 0) {
    const { rows } = await database.query<{ id: string }>(
      `SELECT id FROM payment WHERE status = 'completed' AND id = ANY($1::uuid[])`,
      [[...paidAt.keys()]],
    );
    const now = performance.now();
    for (const { id } of rows) {
      timesMs.push(now - (paidAt.get(id) ?? Number.NaN));
      paidAt.delete(id);
    }
    await delay(pollMs);
  }
}

const watching = watch();
const lives: Promise<void>[] = [];
const startedAt = performance.now();
for (let index = 0; index < payments; index++) {
  await delay(startedAt + (index * minutes * 60_000) / payments - performance.now());
  lives.push(live(index).catch((error: unknown) => void failures.push(String(error))));
}
await Promise.all(lives);
isOver = true;
await watching;
const pendingCount = async () =>
  (await database.query<{ count: number }>(`SELECT count(*)::int FROM payment WHERE status = 'pending'`))
    .rows[0]?.count ?? 0;
for (
  const until = performance.now() + (lifeMinutes + 2) * 60_000;
  (await pendingCount()) > 0;
  await delay(500)
)
  if (performance.now() > until) break;

const counted = new Map<string, number>();
for (const { operation } of emulator.requests)
  counted.set(operation ?? 'none', (counted.get(operation ?? 'none') ?? 0) + 1);
const ms = (values: readonly number[]) =>
  [0.5, 0.99, 1].map((q) => quantile(values, q).toFixed(0)).join(' / ');
const slowest = Math.max(...timesMs);
print(
  `${machine}: ${payments} payments of ${lifeMinutes} minutes by new payers, created within ${minutes} minutes`,
  `from ${isLost ? 'the Pix, without a notification,' : 'the notification'} to completed, ${timesMs.length} payments: p50 / p99 / max ${ms(timesMs)} ms, wanted at most ${wantedMs}`,
  `creates: p50 / p99 / max ${ms(createsMs)} ms, ${failures.length} failed ${[...new Set(failures)].join(', ')}`,
  `requests at Asaas: ${emulator.requests.length} of 25,000 (${[...counted].map(([name, count]) => `${name} ${count}`).join(', ')}), ${emulator.quota.refusedCount()} refused`,
  `still pending two minutes after their expiry: ${await pendingCount()}`,
);

await emulator.stop();
await database.end();
await bench.stop();
await rm(folder, { recursive: true, force: true });
process.exit(slowest <= wantedMs && failures.length === 0 ? 0 : 1);
