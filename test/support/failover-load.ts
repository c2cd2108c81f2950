import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from './client.ts';
import type { ServiceProcess } from './service-process.ts';

/** Creates payments on all nodes without pause, and keeps what it was told. */
export interface FailoverLoad {
  /** Ids of the payments that were acknowledged. */
  readonly acknowledged: string[];
  /** How many responses had each status. */
  readonly statuses: Map<number, number>;
  /** 503 without `Retry-After`. */
  readonly unkind: unknown[];
  /** Resolves at the next acknowledged create that begins from now on. */
  nextCreate(): Promise<void>;
  stop(): Promise<void>;
}

export function startFailoverLoad(
  nodes: readonly ServiceProcess[],
  key: string,
  clients: number,
): FailoverLoad {
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  const unkind: unknown[] = [];
  const waiting = new Set<{ since: number; resolve: () => void }>();
  let isOver = false;

  async function run(index: number): Promise<void> {
    const client = createClient(nodes[index % nodes.length]?.baseUrl ?? '', key);
    while (!isOver) {
      const startedAt = performance.now();
      const headers = { 'Idempotency-Key': randomUUID() };
      const { status, body, headers: received } = await client.post('/v1/payments', { amount: 5 }, headers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201) {
        acknowledged.push(body.id);
        for (const each of waiting) {
          if (each.since > startedAt) continue;
          waiting.delete(each);
          each.resolve();
        }
      } else {
        if (!received.get('retry-after')) unkind.push(body);
      }
      await delay(20);
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, index) => run(index)));
  return {
    acknowledged,
    statuses,
    unkind,
    nextCreate: () =>
      new Promise((resolve) => {
        waiting.add({ since: performance.now(), resolve });
      }),
    async stop() {
      isOver = true;
      await running;
    },
  };
}
