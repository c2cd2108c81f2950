import { setTimeout as delay } from 'node:timers/promises';
import { retryAfterMsOf } from '../core/providers/rules/psp-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { DueWork, Reconciliation } from '../core/settlement/reconciliation/reconciliation.ts';
import type { RunningWorker, Worker } from './loop.ts';

type Kind = DueWork['kinds'][number];
type Lane = Awaited<ReturnType<DueWork['claim']>>[number]['credentialId'];

const maximumInFlight = 512;
/** Concurrent lookups per credential in this process. The guard around each PSP limits them in total. */
const slotsPerCredential: Record<Kind, number> = {
  payment: 16,
  late_payment: 2,
  payment_attempt: 4,
  refund: 4,
  psp_notification: 8,
  psp_sweep: 1,
  listed_charge: 8,
  statement_day: 1,
};
/** While its PSP fails, only probes, once per poll. */
const slotsWhileFailing = 2;
/** A lane is tried again by then, whatever its PSP asked for: another node may have learned more. */
const longestRestMs = 60_000;
/** Only the database is involved. */
const slotsWithoutCredential = 32;
/** Due work is not announced. */
const pollMs = 500;
/** Slots freed within this time share one claim. */
const settleMs = 5;
const abandonedBatch = 50;

/** Ends payments whose creation was abandoned. Calls no PSP. */
export const abandonPayments = (reconciliation: Pick<Reconciliation, 'abandoned_payment'>): Worker => ({
  runOnce: () => reconciliation.abandoned_payment(abandonedBatch),
});

/**
 * Works continuously rather than in rounds: a freed slot is refilled at once, and a PSP that hangs or fails
 * blocks only the slots of its own credential.
 */
export function startReconciling(work: DueWork, kind: Kind, logger: Logger): RunningWorker {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const inFlight = new Map<Lane, number>();
  const failing = new Set<Lane>();
  /** Until these times, in milliseconds of the process's clock, the PSP of a lane takes no more requests. */
  const resting = new Map<Lane, number>();
  let isPoked = false;
  let wake = (): void => undefined;

  function poke(): void {
    isPoked = true;
    wake();
  }

  async function pokedOrPolled(): Promise<void> {
    if (isPoked) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function isResting(lane: Lane): boolean {
    if ((resting.get(lane) ?? 0) > performance.now()) return true;
    resting.delete(lane);
    return false;
  }

  function slotsOf(lane: Lane): number {
    if (lane === null) return slotsWithoutCredential;
    if (isResting(lane)) return 0;
    return failing.has(lane) ? slotsWhileFailing : slotsPerCredential[kind];
  }

  const inFlightOf = (lane: Lane): number => inFlight.get(lane) ?? 0;
  const isFull = (lane: Lane): boolean =>
    inFlightOf(lane) >= slotsOf(lane) || running.size >= maximumInFlight;

  function count(lane: Lane, by: 1 | -1): void {
    const now = inFlightOf(lane) + by;
    if (now > 0) inFlight.set(lane, now);
    else inFlight.delete(lane);
  }

  async function settle(lane: Lane, id: string): Promise<void> {
    let isMore = false;
    try {
      isMore = await work.settle(kind, id);
      failing.delete(lane);
    } catch (error) {
      const restMs = retryAfterMsOf(error);
      if (restMs === null) {
        failing.add(lane);
        logger.warn({ kind, id, error }, 'reconciliation failed, will retry');
      } else resting.set(lane, performance.now() + Math.min(restMs, longestRestMs));
    }
    // If nothing waited for this slot, nothing was left behind; a failing PSP waits for the poll.
    if (isMore || (isFull(lane) && !failing.has(lane) && !isResting(lane))) poke();
  }

  function begin({ id, credentialId: lane }: { id: string; credentialId: Lane }): void {
    count(lane, 1);
    const settled = settle(lane, id).finally(() => {
      count(lane, -1);
      running.delete(settled);
    });
    running.add(settled);
  }

  async function fill(): Promise<void> {
    isPoked = false;
    const limit = maximumInFlight - running.size;
    if (limit <= 0) return;
    const lanes = new Set<Lane>([null, ...inFlight.keys(), ...failing, ...resting.keys()]);
    const free = [...lanes].map((lane) => [lane, Math.max(0, slotsOf(lane) - inFlightOf(lane))] as const);
    const slots = slotsPerCredential[kind];
    const claimed = await work.claim(kind, { limit, slots, slotsOf: new Map(free) });
    for (const row of claimed) begin(row);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await fill().catch((error: unknown) => {
        logger.error({ worker: `reconcile-${kind}`, error }, 'worker failed');
        return delay(pollMs);
      });
      await pokedOrPolled();
      await delay(settleMs);
    }
  }

  const loop = run();

  return {
    async stop() {
      stopping.abort();
      poke();
      await loop;
      await Promise.all(running);
    },
  };
}
