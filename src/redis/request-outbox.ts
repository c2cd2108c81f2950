import { setTimeout as delay } from 'node:timers/promises';

interface Waiting<Item> {
  items: Item[];
  missed: number;
  isSending: boolean;
}

interface Limits {
  everyMs: number;
  /** Limits what one node sends of a key each time; the rest is counted. */
  maximumItems: number;
}

/** Gathers what is to be sent together, and keeps count of what is not. */
export function createRequestOutbox<Item>(
  publish: (key: string, batch: { items: Item[]; missed: number }) => Promise<unknown>,
  { everyMs, maximumItems }: Limits,
) {
  const waiting = new Map<string, Waiting<Item>>();

  /** One message at a time, so that a slow Redis holds at most one. */
  async function send(key: string, outgoing: Waiting<Item>): Promise<void> {
    outgoing.isSending = true;
    while (outgoing.items.length > 0) {
      await delay(everyMs, undefined, { ref: false });
      const batch = { items: outgoing.items, missed: outgoing.missed };
      outgoing.items = [];
      outgoing.missed = 0;
      await publish(key, batch).catch(() => {
        outgoing.missed += batch.items.length + batch.missed;
      });
    }
    outgoing.isSending = false;
    // What was missed is told with the next item.
    if (outgoing.missed === 0) waiting.delete(key);
  }

  return {
    hasRoom: (key: string): boolean => (waiting.get(key)?.items.length ?? 0) < maximumItems,

    add(key: string, item: Item): void {
      const outgoing = waiting.get(key) ?? { items: [], missed: 0, isSending: false };
      waiting.set(key, outgoing);
      if (outgoing.items.length < maximumItems) outgoing.items.push(item);
      else outgoing.missed += 1;
      if (!outgoing.isSending) void send(key, outgoing);
    },

    /** Nobody follows it any more. */
    forget(key: string): void {
      waiting.delete(key);
    },
  };
}
