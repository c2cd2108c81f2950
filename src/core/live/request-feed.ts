import { ServiceError } from '../base/errors.ts';
import type { RequestFollower, RequestRelay } from './rules/request-relay.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { closable, createBell } from './bell.ts';
import type { ServedRequest } from './served-request.ts';
import { createSubscriptionSlots } from './subscription-slots.ts';

/** One event of the stream. */
export type FeedItem =
  | { event: 'request'; data: ServedRequest }
  /** Too many for whoever reads or for the nodes between. */
  | { event: 'missed'; data: { count: number } }
  /** `allNodes`: false without Redis, and then only what this node serves is shown. */
  | { event: 'scope'; data: { allNodes: boolean } };

/** The requests of a test key as they are served. Nothing is kept for later. */
export interface RequestFeed {
  isFollowed(keyId: string): boolean;
  add(keyId: string, request: ServedRequest): void;
  /** Begins with the scope. Fails with `test_mode_only` for a live key. */
  follow(caller: Caller): Promise<AsyncGenerator<FeedItem>>;
}

const maximumPerKey = 10;
/** No more waits for one reader. A terminal shows no more in a second. */
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
    reach(reached) {
      if (reached === allNodes) return;
      allNodes = reached;
      const before = waiting.findIndex(({ event }) => event === 'scope');
      if (before !== -1) waiting.splice(before, 1);
      waiting.push({ event: 'scope', data: { allNodes } });
      bell.ring();
    },
  };

  async function* items(): AsyncGenerator<FeedItem> {
    while (await bell.rung()) {
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
      // Its requests are a shop's payers; whoever looks for a mistake has a test key.
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
