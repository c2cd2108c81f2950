import type { Redis } from 'ioredis';
import { allCallers, type CallerChanges } from '../core/base/caller-changes.ts';

const channel = 'pix:key-changes';

/** How often a node that may not hear of changes forgets what it has cached. */
const unsureEveryMs = 1_000;
const tellAgainEveryMs = 250;
/** What was cached before is forgotten by then. */
const tellForMs = 30_000;

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

  if (subscriber) {
    let isSubscribed = false;
    let isAnswering = true;
    subscriber.on('message', (from: string, holder: string) => {
      if (from === channel) notify(holder);
    });
    // Messages sent while disconnected were missed.
    subscriber.on('ready', () => {
      subscriber.subscribe(channel).then(() => {
        isSubscribed = true;
        isAnswering = true;
        notify(allCallers);
      }, onUnreachable);
    });
    subscriber.on('close', () => {
      isSubscribed = false;
    });
    // A server that hangs, or that the network no longer leads to, does not say that it is gone.
    const watching = setInterval(() => {
      if (!isSubscribed || !isAnswering) notify(allCallers);
      if (!isSubscribed) return;
      isAnswering = false;
      subscriber.ping().then(
        () => {
          isAnswering = true;
        },
        () => undefined,
      );
    }, unsureEveryMs).unref();
    subscriber.on('end', () => {
      clearInterval(watching);
    });
    subscriber.connect().catch(onUnreachable);
  }

  const untold = new Map<string, number>();
  let telling: NodeJS.Timeout | undefined;

  /** While a master is replaced, the other nodes may already hear the new one. */
  function tellLater(holder: string): void {
    untold.set(holder, performance.now() + tellForMs);
    telling ??= setInterval(() => {
      for (const [each, untilMs] of untold) {
        if (performance.now() > untilMs) untold.delete(each);
        else
          publisher?.publish(channel, each).then(
            () => untold.delete(each),
            () => undefined,
          );
      }
      if (untold.size > 0) return;
      clearInterval(telling);
      telling = undefined;
    }, tellAgainEveryMs).unref();
  }

  return {
    async publish(holder: string): Promise<void> {
      notify(holder);
      await publisher?.publish(channel, holder).catch((error: unknown) => {
        onUnreachable(error);
        tellLater(holder);
      });
    },
    subscribe(onChange: (holder: string) => void): void {
      listeners.push(onChange);
    },
  };
}
