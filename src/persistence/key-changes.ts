import type { Redis } from 'ioredis';
import { allKeys } from '../domain/api-key.ts';

const channel = 'pix:key-changes';

interface Connections {
  publisher?: Redis | undefined;
  /** A connection of its own: one that subscribes can do nothing else. */
  subscriber?: Redis | undefined;
  /** The other nodes were not reached: they learn of the change when their caches run out. */
  onUnheard(error: unknown): void;
}

/** Tells this node, and the others through Redis, that a key changed. */
export function createKeyChanges({ publisher, subscriber, onUnheard }: Connections) {
  const listeners: ((keyId: string) => void)[] = [];
  const tell = (keyId: string): void => {
    for (const listener of listeners) listener(keyId);
  };

  subscriber?.on('message', (_channel: string, keyId: string) => {
    tell(keyId);
  });
  // Whatever was said while the connection was away is unknown.
  subscriber?.on('ready', () => {
    subscriber.subscribe(channel).then(() => {
      tell(allKeys);
    }, onUnheard);
  });
  subscriber?.connect().catch(onUnheard);

  return {
    async publish(keyId: string): Promise<void> {
      tell(keyId);
      await publisher?.publish(channel, keyId).catch(onUnheard);
    },
    subscribe(onChange: (keyId: string) => void): void {
      listeners.push(onChange);
    },
  };
}
