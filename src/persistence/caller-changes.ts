import type { Redis } from 'ioredis';
import { allCallers, type CallerChanges } from '../domain/caller-changes.ts';

const channel = 'pix:key-changes';

interface Connections {
  publisher?: Redis | undefined;
  /** A connection of its own: one that subscribes can do nothing else. */
  subscriber?: Redis | undefined;
  /** The other nodes were not reached: they learn of the change when their caches run out. */
  onUnheard(error: unknown): void;
}

/** Tells this node, and the others through Redis. */
export function createCallerChanges({ publisher, subscriber, onUnheard }: Connections): CallerChanges {
  const listeners: ((holder: string) => void)[] = [];
  const tell = (holder: string): void => {
    for (const listener of listeners) listener(holder);
  };

  subscriber?.on('message', (_channel: string, holder: string) => {
    tell(holder);
  });
  // Whatever was said while the connection was away is unknown.
  subscriber?.on('ready', () => {
    subscriber.subscribe(channel).then(() => {
      tell(allCallers);
    }, onUnheard);
  });
  subscriber?.connect().catch(onUnheard);

  return {
    async publish(holder: string): Promise<void> {
      tell(holder);
      await publisher?.publish(channel, holder).catch(onUnheard);
    },
    subscribe(onChange: (holder: string) => void): void {
      listeners.push(onChange);
    },
  };
}
