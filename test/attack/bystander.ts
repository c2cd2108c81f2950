// A tenant that only wants to be paid, in a process of its own so that its times are the service's.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '../support/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../support/psp-emulator/ledger.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';

/** What the campaign tells the bystander. */
export interface BystanderOrders {
  baseUrl: string;
  keys: readonly string[];
  notificationUrl: string;
  /** Before the attack, of a node that has just started; its creates are not counted. */
  warmUpSeconds: number;
  seconds: number;
}

/** What its creates took, and how long it was until a Pix was known. */
export interface BystanderFigures {
  creates: number;
  /** Whatever was not a 201, in words. */
  failures: string[];
  p50Ms: number;
  p99Ms: number;
  maximumMs: number;
  /** The slowest creates, as seconds of the campaign and milliseconds. */
  slowest: { atSeconds: number; ms: number }[];
  paid: number;
  /** Paid, and not completed when the campaign ended. */
  unconfirmed: number;
  notifiedP99Ms: number;
  silentMaximumMs: number;
}

/** From one create to the next. */
const pauseMs = 250;
/** The share of payments for which the PSP sends no notification. */
const silentShare = 0.1;
const paidShare = 0.6;
/** After the campaign, for Pix that are still to be found: ten minutes where a notification was lost and others arrive. */
const patienceMs = 660_000;

const emulator = await startEmulator(woovi);
process.send?.({ settings: emulator.settings });
const [orders] = (await once(process, 'message')) as [BystanderOrders];
emulator.notifier.address = orders.notificationUrl;

const clients = orders.keys.map((key) => createClient(orders.baseUrl, key));
/** Gives them in turn. */
function each(of: readonly Client[]): () => Client {
  let turn = 0;
  return () => {
    const client = of[turn++ % of.length];
    if (!client) throw new Error('the bystander has no key');
    return client;
  };
}
const creating = each(clients.slice(0, clients.length / 2));
const looking = each(clients.slice(clients.length / 2));

const timesMs: number[] = [];
const all: BystanderFigures['slowest'] = [];
const notifiedMs: number[] = [];
const silentMs: number[] = [];
const failures: string[] = [];
let begun = 0;
let answered = 0;
let paid = 0;
let unconfirmed = 0;

const chargeOf = (code: string): EmulatedCharge | undefined =>
  emulator.ledger.charges.findLast(({ details }) => details['code'] === code);

/** Looks less often the longer it takes, and waits as long as a refusal says, as clients should. */
async function confirmed(id: string, giveUpAt: number): Promise<boolean> {
  const paidAt = performance.now();
  while (performance.now() < giveUpAt) {
    const response = await looking()
      .get(`/v1/payments/${id}`)
      .catch(() => undefined);
    if (response?.body.status === 'completed') return true;
    const retryAfter = response?.status === 429 ? Number(response.headers.get('retry-after')) : 0;
    await delay(Math.max(500, (performance.now() - paidAt) / 10, 1_000 * retryAfter));
  }
  return false;
}

async function pay(id: string, code: string, giveUpAt: number): Promise<void> {
  const charge = chargeOf(code);
  if (!charge) throw new Error('a payment without a charge');
  const isSilent = Math.random() < silentShare;
  paid += 1;
  const paidAt = performance.now();
  await emulator.pay(charge.transactionId, { notify: isSilent ? 'never' : 'once' });
  if (await confirmed(id, giveUpAt)) (isSilent ? silentMs : notifiedMs).push(performance.now() - paidAt);
  else unconfirmed += 1;
}

async function order(giveUpAt: number): Promise<void> {
  const startedAt = performance.now();
  begun += 1;
  try {
    const { status, body } = await creating().post('/v1/payments', { amount: 10, description: 'Order' });
    answered += 1;
    if (startedAt >= campaignBegan) timesMs.push(performance.now() - startedAt);
    all.push({
      atSeconds: Math.round((startedAt - campaignBegan) / 1_000),
      ms: Math.round(performance.now() - startedAt),
    });
    if (status !== 201) failures.push(`HTTP ${status}: ${JSON.stringify(body)}`);
    else if (Math.random() < paidShare) await pay(body.id, body.pixCopyPaste, giveUpAt);
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    answered += 1;
    failures.push(`after ${Math.round(performance.now() - startedAt)} ms: ${String(reason)}`);
  }
}

const quantile = (values: number[], q: number): number =>
  Math.round(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0,
  );

const campaignBegan = performance.now() + orders.warmUpSeconds * 1_000;
const until = campaignBegan + orders.seconds * 1_000;
const running: Promise<void>[] = [];
while (performance.now() < until) {
  running.push(order(until + patienceMs));
  await delay(pauseMs);
}
// An order may wait for a node that is gone.
await Promise.race([Promise.all(running), delay(patienceMs + 5_000)]);
for (; answered < begun; answered++) failures.push('no answer');
const figures: BystanderFigures = {
  creates: begun,
  failures,
  p50Ms: quantile(timesMs, 0.5),
  p99Ms: quantile(timesMs, 0.99),
  maximumMs: quantile(timesMs, 1),
  slowest: all
    .filter(({ atSeconds }) => atSeconds >= 0)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 10),
  paid,
  unconfirmed,
  notifiedP99Ms: quantile(notifiedMs, 0.99),
  silentMaximumMs: quantile(silentMs, 1),
};
process.send?.(figures, () => process.exit(0));
