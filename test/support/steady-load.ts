import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/**
 * So many requests a second, whatever becomes of the ones before, unless those of a tenth of a second are waiting: a machine that
 * has other work would never catch up, and its nodes would refuse them. None is sent twice.
 */
export interface SteadyLoad {
  readonly latenciesMs: number[];
  /** Whatever did not get the response that it should. */
  readonly failures: string[];
  /** Ids of payments that were paid. */
  readonly paid: string[];
  /** Resolves when every request has ended. */
  stop(): Promise<void>;
}

export function startSteadyLoad(
  { baseUrl, ca }: { baseUrl: string; ca: string },
  key: string,
  perSecond: number,
): SteadyLoad {
  const dispatcher = new Agent({ connect: { ca } });
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const created: string[] = [];
  const unpaid: string[] = [];
  const paid: string[] = [];
  const running = new Set<Promise<void>>();
  let isOver = false;

  async function send(method: 'GET' | 'POST', path: string, wanted: number, body?: object) {
    const startedAt = performance.now();
    const response = await request(baseUrl + path, {
      method,
      dispatcher,
      headers: {
        'X-API-Key': key,
        ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    latenciesMs.push(performance.now() - startedAt);
    if (response.statusCode !== wanted) throw new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as { id: string };
  }

  /** One in twenty requests is a create, and every second of those is paid. */
  async function act(turn: number): Promise<void> {
    const [last] = created.slice(-1);
    const next = turn % 40 === 13 ? unpaid.shift() : undefined;
    if (turn % 20 === 0 || last === undefined) {
      const { id } = await send('POST', '/v1/payments', 201, { amount: 1 });
      created.push(id);
      if (turn % 40 === 0) unpaid.push(id);
    } else if (next !== undefined) {
      await send('POST', `/v1/sandbox/payments/${next}/pay`, 200);
      paid.push(next);
    } else await send('GET', `/v1/payments/${last}`, 200);
  }

  async function run(): Promise<void> {
    const startedAt = performance.now();
    let turn = 0;
    for (let tick = 0; !isOver; tick += 1) {
      await delay(startedAt + (tick * 1_000) / perSecond - performance.now());
      if (running.size >= perSecond / 10) continue;
      const acting = act(turn++)
        .catch((error: unknown) => void failures.push(String(error)))
        .finally(() => running.delete(acting));
      running.add(acting);
    }
  }

  const loop = run();
  return {
    latenciesMs,
    failures,
    paid,
    async stop() {
      isOver = true;
      await loop;
      await Promise.all(running);
      if (!dispatcher.closed) await dispatcher.close();
    },
  };
}
