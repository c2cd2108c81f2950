import { setTimeout as delay } from 'node:timers/promises';

interface Waiting<Item> {
  items: Item[];
  missed: number;
  isSending: boolean;
}

/** What one node sends of a key: at most this much each time, the rest is counted. */
const sendAfterMs = 50;
const maximumItems = 100;

/** Gathers what followers on other nodes are to see, and keeps count of what they will not. */
export function createRequestOutbox<Item>(
  publish: (keyId: string, batch: { items: Item[]; missed: number }) => Promise<unknown>,
) {
  const waiting = new Map<string, Waiting<Item>>();

  /** One message at a time, so that a slow Redis holds at most one. */
  async function send(keyId: string, outgoing: Waiting<Item>): Promise<void> {
    outgoing.isSending = true;
    while (outgoing.items.length > 0) {
      await delay(sendAfterMs, undefined, { ref: false });
      const batch = { items: outgoing.items, missed: outgoing.missed };
      outgoing.items = [];
      outgoing.missed = 0;
      await publish(keyId, batch).catch(() => {
        outgoing.missed += batch.items.length + batch.missed;
      });
    }
    outgoing.isSending = false;
    // What was missed is told with the next item.
    if (outgoing.missed === 0) waiting.delete(keyId);
  }

  return {
    add(keyId: string, item: Item): void {
      const outgoing = waiting.get(keyId) ?? { items: [], missed: 0, isSending: false };
      waiting.set(keyId, outgoing);
      if (outgoing.items.length < maximumItems) outgoing.items.push(item);
      else outgoing.missed += 1;
      if (!outgoing.isSending) void send(keyId, outgoing);
    },

    /** Nobody follows it any more. */
    forget(keyId: string): void {
      waiting.delete(keyId);
    },
  };
}
