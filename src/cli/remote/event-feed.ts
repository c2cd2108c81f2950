import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceClient } from './service-client.ts';

/** The members of an event that the command line reads. */
export interface FeedEvent {
  id: string;
  type: string;
  sequence: number;
  data: { id: string };
}

interface EventPage {
  data: FeedEvent[];
}

/** Not every event changes a payment, and a stream may break unnoticed. */
const pollMs = 10_000;
/** The events of one change arrive within this time, so that they are read together. */
const settleMs = 100;

const readAfter = async (client: ServiceClient, after: number, limit: number): Promise<FeedEvent[]> =>
  (await client.get<EventPage>(`v1/events?after=${after}&limit=${limit}`)).data;

/** The number of the newest event; 0 without any. Sequences only grow, so some twenty requests find it. */
export async function lastSequence(client: ServiceClient): Promise<number> {
  const isBeyond = async (sequence: number) => (await readAfter(client, sequence, 1)).length === 0;
  if (await isBeyond(0)) return 0;
  let low = 0;
  let high = 1;
  while (!(await isBeyond(high))) {
    low = high;
    high *= 8;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isBeyond(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns a function that resolves at the next change, or after a while. */
function watchChanges(client: ServiceClient, signal: AbortSignal): () => Promise<void> {
  let ring = (): void => undefined;
  void (async () => {
    while (!signal.aborted) {
      try {
        for await (const _ of client.changes(signal)) ring();
      } catch {
        // Polling goes on, and reports what is wrong.
      }
      await delay(pollMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return async () => {
    const rung = new Promise<void>((resolve) => (ring = resolve));
    await Promise.race([rung, delay(pollMs, undefined, { signal }).catch(() => undefined)]);
    if (!signal.aborted) await delay(settleMs);
  };
}

/** Yields the events after this sequence number, in order and as they happen, until `signal` aborts. */
export async function* followEvents(
  client: ServiceClient,
  after: number,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): AsyncGenerator<FeedEvent, void, undefined> {
  const nextChange = watchChanges(client, signal);
  let last = after;
  while (!signal.aborted) {
    const change = nextChange();
    const events = await readAfter(client, last, 100).catch((error: Error) => {
      onFailure(error);
      return [];
    });
    for (const event of events) {
      yield event;
      last = event.sequence;
    }
    if (events.length === 0) await change;
  }
}
