import type { Redis } from 'ioredis';
import { allCallers, type CallerChanges } from '../core/base/caller-changes.ts';

const channel = 'pix:key-changes';

interface Connections {
  publisher?: Redis | undefined;
  /** Needs a connection of its own, because a subscribed one can do nothing else. */
  subscriber?: Redis | undefined;
  /** Called when other nodes could not be reached. They learn of the change when their caches expire. */
  onUnreachable(error: unknown): void;
}

/** Notifies this node directly, and the others through Redis. */
export function createCallerChanges({ publisher, subscriber, onUnreachable }: Connections): CallerChanges {
  const listeners: ((holder: string) => void)[] = [];
  const notify = (holder: string): void => {
    for (const listener of listeners) listener(holder);
  };

  subscriber?.on('message', (from: string, holder: string) => {
    if (from === channel) notify(holder);
  });
  // Messages sent while disconnected were missed.
  subscriber?.on('ready', () => {
    subscriber.subscribe(channel).then(() => {
      notify(allCallers);
    }, onUnreachable);
  });
  subscriber?.connect().catch(onUnreachable);

  return {
    async publish(holder: string): Promise<void> {
      notify(holder);
      await publisher?.publish(channel, holder).catch(onUnreachable);
    },
    subscribe(onChange: (holder: string) => void): void {
      listeners.push(onChange);
    },
  };
}
