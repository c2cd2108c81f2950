import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { isJsonObject } from '../core/base/json/json-object.ts';
import type { RequestFollower, RequestRelay } from '../core/live/rules/request-relay.ts';
import { createRequestOutbox } from './request-outbox.ts';

/** Which keys are followed on a node, repeated while they are. */
const followedChannel = 'pix:followed-keys';
const requestChannel = 'pix:requests:';

const announceEveryMs = 2_000;
/** An announcement may be lost, or late on a busy node. */
const followedForMs = 7_000;

interface Announcement {
  node: string;
  keys: string[];
  /** Followed no longer. Without it, others would find out a little later. */
  left?: string[];
  /** The node has just connected, and asks who follows what. */
  isNew?: true;
}

interface Dependencies<Item> {
  publisher: Redis | undefined;
  /** A separate connection, opened by its creator: a subscribed one can do nothing else. */
  subscriber: Redis | undefined;
  isItem(value: unknown): value is Item;
}

/** Reads messages of other nodes alone. An older or newer one may send what this one cannot read. */
function parsed(text: string, node: string): Record<string, unknown> {
  try {
    const message = JSON.parse(text) as unknown;
    return isJsonObject(message) && message['node'] !== node ? message : {};
  } catch {
    return {};
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const textsOf = (value: unknown): string[] => listOf(value).filter((each) => typeof each === 'string');

const countOf = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0);

/** The followers on this node. */
function createFollowers<Item>() {
  const byKey = new Map<string, Set<RequestFollower<Item>>>();
  return {
    has: (keyId: string): boolean => byKey.has(keyId),
    keys: (): string[] => [...byKey.keys()],
    of: (keyId: string): Iterable<RequestFollower<Item>> => byKey.get(keyId) ?? [],
    all: (): RequestFollower<Item>[] => [...byKey.values()].flatMap((each) => [...each]),
    add(keyId: string, follower: RequestFollower<Item>): void {
      byKey.set(keyId, (byKey.get(keyId) ?? new Set()).add(follower));
    },
    delete(keyId: string, follower: RequestFollower<Item>): void {
      const left = byKey.get(keyId);
      left?.delete(follower);
      if (left?.size === 0) byKey.delete(keyId);
    },
  };
}

/** Remembers until when keys are followed on other nodes, as far as these have said. */
function createFollowedElsewhere(onEnd: (keyId: string) => void) {
  const untilMs = new Map<string, number>();
  function end(keyId: string): void {
    untilMs.delete(keyId);
    onEnd(keyId);
  }
  return {
    has: (keyId: string): boolean => (untilMs.get(keyId) ?? 0) > Date.now(),
    add(keys: readonly string[]): void {
      const now = Date.now();
      for (const keyId of keys) untilMs.set(keyId, now + followedForMs);
      for (const [keyId, endMs] of untilMs) if (endMs <= now) end(keyId);
    },
    /** Whoever follows one on another node says so again. */
    delete(keys: readonly string[]): void {
      keys.forEach(end);
    },
  };
}

/**
 * Sends what nodes serve to the nodes on which somebody follows the key, by publishing alone: Redis keeps
 * nothing. Without Redis followers see what their own node serves.
 */
export function createRequestRelay<Item>({
  publisher,
  subscriber,
  isItem,
}: Dependencies<Item>): RequestRelay<Item> & { stop(): void } {
  const node = randomUUID();
  const followers = createFollowers<Item>();
  const outbox = createRequestOutbox<Item>(
    async (keyId, batch) => publisher?.publish(requestChannel + keyId, JSON.stringify({ node, ...batch })),
    { everyMs: 50, maximumItems: 100 },
  );
  const elsewhere = createFollowedElsewhere(outbox.forget);
  let isSubscribed = false;
  let reachesAll = false;
  let timer: NodeJS.Timeout | undefined;

  function setReach(allNodes: boolean): void {
    if (reachesAll === allNodes) return;
    reachesAll = allNodes;
    for (const follower of followers.all()) follower.setScope(allNodes);
  }

  async function announce(more: Pick<Announcement, 'isNew' | 'left'> = {}): Promise<void> {
    const announcement: Announcement = { node, keys: followers.keys(), ...more };
    await publisher?.publish(followedChannel, JSON.stringify(announcement)).then(
      () => {
        setReach(isSubscribed);
      },
      () => {
        setReach(false);
      },
    );
  }

  function hear(channel: string, text: string): void {
    const message = parsed(text, node);
    if (channel === followedChannel) {
      elsewhere.add(textsOf(message['keys']));
      elsewhere.delete(textsOf(message['left']));
      if (message['isNew'] === true && timer) void announce();
    } else if (channel.startsWith(requestChannel)) {
      const sent = listOf(message['items']);
      const items = sent.filter(isItem);
      const missed = countOf(message['missed']) + sent.length - items.length;
      for (const each of followers.of(channel.slice(requestChannel.length))) each.receive(items, missed);
    }
  }

  subscriber?.on('message', hear);
  subscriber?.on('ready', () => {
    const channels = [followedChannel, ...followers.keys().map((keyId) => requestChannel + keyId)];
    subscriber.subscribe(...channels).then(
      () => {
        isSubscribed = true;
        void announce({ isNew: true });
      },
      () => undefined,
    );
  });
  subscriber?.on('close', () => {
    isSubscribed = false;
    setReach(false);
  });

  function leave(keyId: string, follower: RequestFollower<Item>): void {
    followers.delete(keyId, follower);
    if (followers.has(keyId)) return;
    subscriber?.unsubscribe(requestChannel + keyId).catch(() => undefined);
    void announce({ left: [keyId] });
    if (followers.keys().length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    isFollowed: (keyId) => followers.has(keyId) || elsewhere.has(keyId),

    send(keyId, item) {
      for (const follower of followers.of(keyId)) follower.receive([item], 0);
      if (elsewhere.has(keyId)) outbox.add(keyId, item);
    },

    async follow(keyId, follower) {
      followers.add(keyId, follower);
      timer ??= setInterval(announce, announceEveryMs).unref();
      await subscriber?.subscribe(requestChannel + keyId).catch(() => undefined);
      await announce();
      follower.setScope(reachesAll);
      return () => {
        leave(keyId, follower);
      };
    },

    stop() {
      clearInterval(timer);
    },
  };
}
