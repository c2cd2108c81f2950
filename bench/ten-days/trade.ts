// Customers: they order, and most of them pay. What is not answered is sent again with its key, as shops do.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { query } from '../../test/support/database.ts';
import type { Machines } from './machines.ts';

interface Order {
  key: string;
  body: object;
  /** Whether its payer will pay: at once, with the next orders, or never. */
  pays: 'now' | 'later' | 'never';
}

interface Made {
  id: string;
  pays: Order['pays'];
}

const atOnce = 16;
const triesAtOnce = 4;

const payer = {
  name: 'Maria da Silva',
  document: '529.982.247-25',
  email: 'maria@example.com',
  address: { street: 'Rua Um', number: '1', city: 'São Paulo', state: 'SP', postalCode: '01001-000' },
};

const isoDay = (at: Date): string => at.toISOString().slice(0, 10);

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export type Trade = ReturnType<typeof openTrade>;

export function openTrade(machines: Machines) {
  const { nginx, key, accounts, pair, ruleSetId, bank } = machines;
  const dispatcher = new Agent({ connect: { ca: nginx.ca } });
  const acknowledged = new Set<string>();
  const statuses = new Map<string, number>();
  let unanswered: Order[] = [];
  let undecided: Made[] = [];
  const refundable: string[] = [];
  let refunds = 0;
  let takesDueDates = false;

  async function send(path: string, body: object, idempotencyKey: string) {
    try {
      const response = await request(nginx.baseUrl + path, {
        method: 'POST',
        dispatcher,
        headers: {
          'X-API-Key': key,
          'Content-Type': 'application/json',
          'Idempotency-Key': idempotencyKey,
        },
        body: JSON.stringify(body),
      });
      const text = await response.body.text();
      const code = String(response.headers['x-error-code'] ?? '');
      count(response.statusCode < 300 ? 'done' : `${response.statusCode} ${code}`.trim());
      return { status: response.statusCode, id: (JSON.parse(text) as { id?: string }).id ?? '' };
    } catch (error) {
      count(error instanceof Error ? error.message.slice(0, 60) : 'no answer');
      return { status: 0, id: '' };
    }
  }

  function count(what: string): void {
    statuses.set(what, (statuses.get(what) ?? 0) + 1);
  }

  async function place(order: Order): Promise<void> {
    for (let tries = 0; tries < triesAtOnce; tries += 1) {
      const { status, id } = await send('/v1/payments', order.body, order.key);
      if (status === 201) {
        acknowledged.add(id);
        undecided.push({ id, pays: order.pays });
        return;
      }
      await delay(250);
    }
    unanswered.push(order);
  }

  function newOrder(): Order {
    const chance = randomInt(100);
    const pays = chance < 70 ? 'now' : chance < 80 ? 'later' : 'never';
    const amount = randomInt(500, 10_000) / 100;
    const due = { date: isoDay(new Date(Date.now() + 2 * 86_400_000)) };
    const body =
      takesDueDates && randomInt(100) < 3
        ? { amount, payer, due, credentialId: bank.credentialId }
        : { amount, ruleSetId, expirationMinutes: pays === 'later' ? 1_440 : 60, externalId: randomUUID() };
    return { key: randomUUID(), body, pays };
  }

  /** The codes of those whose order was acknowledged are paid at the bank that made them. */
  async function pay(): Promise<void> {
    const deciding = undecided;
    undecided = [];
    const paying = deciding.filter(({ pays }) => pays === 'now').map(({ id }) => id);
    for (const { id, pays } of deciding) if (pays === 'later') undecided.push({ id, pays: 'now' });
    const charges = await query<{ id: string; transactionId: string }>(
      pair.admin,
      `SELECT p.id, replace(attempt_id::text, '-', '') AS "transactionId"
       FROM payment p WHERE p.id = ANY($1)`,
      [paying],
    ).catch(() => undefined);
    if (!charges) {
      undecided.push(...deciding.filter(({ pays }) => pays === 'now'));
      return;
    }
    await eachOf(charges, async ({ id, transactionId }) => {
      const account = accounts.find(({ emulator }) => emulator.ledger.find(transactionId));
      const charge = account?.emulator.ledger.find(transactionId);
      if (!account || charge?.pix.length !== 0 || charge.isCancelled || charge.expiresAt < new Date()) return;
      await account.emulator.pay(transactionId);
      if (randomInt(100) < 4) refundable.push(id);
    });
  }

  async function refund(): Promise<void> {
    await eachOf(refundable.splice(0), async (id) => {
      const { status } = await send(`/v1/payments/${id}/refunds`, { amount: 1 }, randomUUID());
      if (status === 201) refunds += 1;
    });
  }

  /** Until nothing is under way that the moving of the clock would cut, or something does not get done. */
  async function quiet(): Promise<void> {
    const startedAt = performance.now();
    const isCalling = () =>
      accounts.some(({ emulator }) => emulator.inFlight() > 0) ||
      machines.shop.waiting + machines.ops.waiting > 0;
    const hasWork = async () => {
      const [due] = await query(
        pair.admin,
        // What is leased is due in half a minute.
        `SELECT FROM webhook_delivery WHERE next_attempt_at <= now() + interval '31 s' AND status = 'pending'
         UNION ALL SELECT FROM psp_notification WHERE next_check_at IS NOT NULL
         UNION ALL SELECT FROM alert_email WHERE next_attempt_at IS NOT NULL
         LIMIT 1`,
      ).catch(() => [{}]);
      return due !== undefined;
    };
    await delay(500);
    for (;;) {
      const waitedMs = performance.now() - startedAt;
      if (waitedMs > (isCalling() ? 30_000 : 8_000) || (!isCalling() && !(await hasWork()))) return;
      await delay(200);
    }
  }

  return {
    acknowledged,
    statuses,
    get refunds() {
      return refunds;
    },
    get unanswered() {
      return unanswered.length;
    },
    sellWithDueDates(are: boolean) {
      takesDueDates = are;
    },
    /** A few seconds in which so many order. */
    async hour(orders: number): Promise<void> {
      // Banks decide about returns minutes later.
      for (const { emulator } of accounts)
        for (const { refunds: all } of emulator.ledger.charges)
          for (const each of all) each.status = 'completed';
      const again = unanswered;
      unanswered = [];
      await refund();
      await eachOf([...again, ...Array.from({ length: orders }, newOrder)], place);
      await pay();
      await quiet();
    },
    stop: () => dispatcher.close(),
  };
}
