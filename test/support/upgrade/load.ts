import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';

const kinds = ['create', 'repeat', 'read', 'pay', 'refund', 'list'] as const;
type Kind = (typeof kinds)[number];

/** Clients that create, repeat, pay, refund, read and list, each request at any of the nodes. */
export interface UpgradeLoad {
  /** Where requests go from now on. */
  nodes: readonly string[];
  /** Ids of the payments that were paid and given back in two refunds. */
  readonly finished: readonly string[];
  /** What was not as it has to be, in words. */
  readonly failures: readonly string[];
  /** The slowest request of each kind since the last call, in milliseconds. */
  slowest(): Record<Kind, number>;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const none = (): Record<Kind, number> => ({ create: 0, repeat: 0, read: 0, pay: 0, refund: 0, list: 0 });
const paymentInReais = 10;
const firstRefundInReais = 4;

export function startUpgradeLoad(key: string, nodes: readonly string[], clients: number): UpgradeLoad {
  const finished: string[] = [];
  const failures: string[] = [];
  let slowest = none();
  let isOver = false;

  async function send(kind: Kind, path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
    const baseUrl = load.nodes[Math.floor(Math.random() * load.nodes.length)] ?? '';
    const startedAt = performance.now();
    const response = await fetch(baseUrl + path, {
      method: kind === 'read' || kind === 'list' ? 'GET' : 'POST',
      headers: {
        'X-API-Key': key,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    slowest[kind] = Math.max(slowest[kind], performance.now() - startedAt);
    if (!response.ok) throw new Error(`${kind} at ${baseUrl} returned ${response.status}: ${text}`);
    return { status: response.status, body: JSON.parse(text) };
  }

  async function reached(path: string, status: string): Promise<void> {
    await eventually(async () => {
      const { body } = await send('read', path);
      if (body.status !== status) throw new Error(`${path} is ${body.status} instead of ${status}`);
    }, 60_000);
  }

  async function life(): Promise<void> {
    const order = randomUUID();
    const { body } = await send('create', '/v1/payments', { amount: paymentInReais }, order);
    const again = await send('repeat', '/v1/payments', { amount: paymentInReais }, order);
    if (again.body.id !== body.id) throw new Error(`order ${order} made ${body.id} and ${again.body.id}`);
    const path = `/v1/payments/${body.id}`;
    await send('list', '/v1/payments?limit=5');
    await send('pay', `/v1/sandbox/payments/${body.id}/pay`);
    await reached(path, 'completed');
    await send('refund', `${path}/refunds`, { amount: firstRefundInReais }, `${order}-1`);
    await send('refund', `${path}/refunds`, {}, `${order}-2`);
    await reached(path, 'refunded');
    finished.push(body.id);
  }

  async function run(): Promise<void> {
    while (!isOver) {
      await life().catch((error: unknown) => failures.push(String(error)));
      await delay(20);
    }
  }

  const load: UpgradeLoad = {
    nodes,
    finished,
    failures,
    slowest() {
      const measured = slowest;
      slowest = none();
      for (const kind of kinds) measured[kind] = Math.round(measured[kind]);
      return measured;
    },
    async stop() {
      isOver = true;
      await running;
    },
  };
  const running = Promise.all(Array.from({ length: clients }, run));
  return load;
}
