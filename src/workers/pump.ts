import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../observability/logger.ts';
import { inNewThread } from '../observability/trace.ts';
import type { RunningWorker } from './loop.ts';

/** Polls too, because due items are not always announced. */
const pollMs = 500;
/** Pause between claims, so that items which end or become due meanwhile share a claim. The first claim does not wait. */
const pauseMs = 5;
/** Whatever still runs after this is cut off, for another worker to do again. */
const graceMs = 5_000;

interface Pumped<Item, Lane> {
  name: string;
  maximumInFlight: number;
  /** The share of the free places that one claim may take. */
  share: number;
  laneOf(this: void, item: Item): Lane;
  /** Tells besides whether it is worth claiming again at once. */
  claim(
    this: void,
    limit: number,
    inFlight: ReadonlyMap<Lane, number>,
  ): Promise<{ items: Item[]; isMore: boolean }>;
  /** Returns whether another item may have waited for this one's place. Never fails. */
  work(this: void, item: Item, inFlight: ReadonlyMap<Lane, number>, signal: AbortSignal): Promise<boolean>;
}

export interface Pump extends RunningWorker {
  /** Claims soon instead of at the next poll. */
  poke(): void;
}

/**
 * Works continuously rather than in rounds: an item that hangs blocks only its own place, and a free place is filled at once.
 */
export function startPump<Item, Lane>(pumped: Pumped<Item, Lane>, logger: Logger): Pump {
  const { name, maximumInFlight, share, laneOf, claim, work } = pumped;
  const stopping = new AbortController();
  const cutting = new AbortController();
  setMaxListeners(maximumInFlight, cutting.signal);
  const inFlight = new Map<Lane, number>();
  const running = new Set<Promise<void>>();
  let isPoked = false;
  let wake = (): void => undefined;

  function poke(): void {
    isPoked = true;
    wake();
  }

  async function waitForPokeOrPoll(): Promise<void> {
    if (isPoked) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function count(lane: Lane, by: 1 | -1): void {
    const now = (inFlight.get(lane) ?? 0) + by;
    if (now > 0) inFlight.set(lane, now);
    else inFlight.delete(lane);
  }

  function begin(item: Item): void {
    const lane = laneOf(item);
    count(lane, 1);
    const ended = inNewThread(() => work(item, inFlight, cutting.signal)).then((mayBeMore) => {
      if (mayBeMore || running.size >= maximumInFlight) poke();
      count(lane, -1);
      running.delete(ended);
    });
    running.add(ended);
  }

  async function fill(): Promise<void> {
    isPoked = false;
    const limit = Math.ceil((maximumInFlight - running.size) * share);
    if (limit === 0) return;
    const { items, isMore } = await claim(limit, inFlight);
    for (const item of items) begin(item);
    if (isMore || items.length === limit) poke();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await fill().catch((error: unknown) => {
        logger.error({ worker: name, error }, 'worker failed');
        return delay(pollMs);
      });
      const mayClaimAgain = delay(pauseMs);
      await waitForPokeOrPoll();
      await mayClaimAgain;
    }
  }

  const loop = run();

  return {
    poke,

    async stop() {
      stopping.abort();
      poke();
      await loop;
      const cut = setTimeout(() => {
        cutting.abort();
      }, graceMs);
      await Promise.all(running);
      clearTimeout(cut);
    },
  };
}
