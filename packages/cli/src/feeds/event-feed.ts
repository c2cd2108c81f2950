import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@pix-service/sdk';
import { connectTo, type Connection, request } from '../base/connection.ts';

/** Not every event changes a payment, and a stream may break unnoticed. */
const pollMs = 10_000;
/** The events of one change arrive within this time, so that they are read together. */
const settleMs = 100;

/** The number of the newest event; 0 without any. Sequences only grow, so some twenty requests find it. */
export async function lastSequence(connection: Connection): Promise<number> {
  const { events } = connectTo(connection);
  const isBeyond = async (after: number) => {
    for await (const _ of events.list({ after, limit: 1 })) return false;
    return true;
  };
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

/** Yields whenever a payment of the key's organization may have changed, until the stream ends. */
async function* changes(connection: Connection, signal: AbortSignal): AsyncGenerator<void> {
  const response = await request(connection, 'graphql', {
    method: 'POST',
    headers: { Accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { paymentsUpdated { id } }' }),
    signal,
  });
  const reader = response.body?.getReader();
  while (reader && !(await reader.read()).done) yield;
}

/** Returns a function that resolves at the next change, or after a while. */
function watchChanges(connection: Connection, signal: AbortSignal): () => Promise<void> {
  let ring = (): void => undefined;
  void (async () => {
    while (!signal.aborted) {
      try {
        for await (const _ of changes(connection, signal)) ring();
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
  connection: Connection,
  after: number,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): AsyncGenerator<Event, void, undefined> {
  const { events } = connectTo(connection);
  const nextChange = watchChanges(connection, signal);
  let last = after;
  while (!signal.aborted) {
    const change = nextChange();
    const before = last;
    try {
      for await (const event of events.list({ after: last, limit: 100 }, { signal })) {
        yield event;
        last = event.sequence;
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error as Error);
    }
    if (last === before) await change;
  }
}
