import { ServiceError } from '../base/errors.ts';
import type { RequestFollower, RequestRelay } from './rules/request-relay.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { closable, createBell } from './bell.ts';
import type { ServedRequest } from './served-request.ts';
import { createSubscriptionSlots } from './subscription-slots.ts';

/** One event of the stream. */
export type FeedItem =
  | { event: 'request'; data: ServedRequest }
  /** So many were dropped, because they were too many for the reader or between the nodes. */
  | { event: 'missed'; data: { count: number } }
  /** `allNodes` is false without Redis: then only requests that this node serves are shown. */
  | { event: 'scope'; data: { allNodes: boolean } };

/** The requests of a test key as they are served. Nothing is kept for later. */
export interface RequestFeed {
  isFollowed(keyId: string): boolean;
  add(keyId: string, request: ServedRequest): void;
  /** Begins with the scope. Fails with `test_mode_only` for a live key. */
  follow(caller: Caller): Promise<AsyncGenerator<FeedItem>>;
}

const maximumPerKey = 10;
/** How many items may wait for one reader: as many as a terminal can show in a second. */
const maximumWaiting = 500;

/** What one reader has not taken yet. */
function createBacklog() {
  const waiting: FeedItem[] = [];
  const bell = createBell();
  let allNodes: boolean | undefined;

  function miss(count: number): void {
    if (count === 0) return;
    const last = waiting.findLast(({ event }) => event !== 'scope');
    if (last?.event === 'missed') last.data.count += count;
    else waiting.push({ event: 'missed', data: { count } });
  }

  const follower: RequestFollower<ServedRequest> = {
    receive(requests, missed) {
      miss(missed);
      for (const data of requests) {
        if (waiting.length < maximumWaiting) waiting.push({ event: 'request', data });
        else miss(1);
      }
      bell.ring();
    },
    setScope(reachesAllNodes) {
      if (reachesAllNodes === allNodes) return;
      allNodes = reachesAllNodes;
      const before = waiting.findIndex(({ event }) => event === 'scope');
      if (before !== -1) waiting.splice(before, 1);
      waiting.push({ event: 'scope', data: { allNodes } });
      bell.ring();
    },
  };

  async function* items(): AsyncGenerator<FeedItem> {
    while (await bell.waitForRing()) {
      for (let next = waiting.shift(); next; next = waiting.shift()) yield next;
    }
  }

  return { follower, items, end: bell.end };
}

export function createRequestFeed(relay: RequestRelay<ServedRequest>): RequestFeed {
  const takeSlot = createSubscriptionSlots(() => maximumPerKey);

  return {
    isFollowed: relay.isFollowed,
    add: relay.send,

    async follow(caller) {
      assertMay(caller, 'payments:read');
      if (caller.kind !== 'key') throw new ServiceError('permission_denied', 'This requires an API key');
      // Requests of a live key are those of a shop's payers; for finding a mistake there are test keys.
      if (caller.mode !== 'test')
        throw new ServiceError('test_mode_only', 'The requests of a live key are not shown: use a test key');
      const leaveSlot = takeSlot(caller);
      const { follower, items, end } = createBacklog();
      const leave = await relay.follow(caller.keyId, follower);
      return closable(items(), () => {
        end();
        leave();
        leaveSlot();
      });
    },
  };
}
