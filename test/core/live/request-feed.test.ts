import { expect, test } from '@jest/globals';
import type { RequestFollower, RequestRelay } from '../../../src/core/live/rules/request-relay.ts';
import type { KeyCaller } from '../../../src/core/base/caller.ts';
import { createRequestFeed, type FeedItem } from '../../../src/core/live/request-feed.ts';
import type { ServedRequest } from '../../../src/core/live/served-request.ts';

const caller: KeyCaller = {
  kind: 'key',
  keyId: 'key',
  organizationId: 'organization',
  mode: 'test',
  permissions: new Set(),
};

const requestAt = (number: number): ServedRequest => ({
  at: '2026-11-21T12:00:00.000Z',
  method: 'GET',
  path: `/${number}`,
  status: 200,
  durationMs: 1,
  traceId: '',
});

/** A feed whose relay the test is. */
function openFeed() {
  const followers: RequestFollower<ServedRequest>[] = [];
  const relay: RequestRelay<ServedRequest> = {
    isFollowed: () => followers.length > 0,
    send: () => undefined,
    follow: (_keyId, follower) => {
      followers.push(follower);
      follower.setScope(true);
      return Promise.resolve(() => void followers.splice(followers.indexOf(follower), 1));
    },
  };
  return { feed: createRequestFeed(relay), followers };
}

async function take(items: AsyncGenerator<FeedItem>, count: number): Promise<FeedItem[]> {
  const taken: FeedItem[] = [];
  while (taken.length < count) {
    const { value } = (await items.next()) as { value: FeedItem };
    taken.push(value);
  }
  return taken;
}

test('a slow reader is told, in its place, how many requests it was not shown', async () => {
  const { feed, followers } = openFeed();
  const items = await feed.follow(caller);
  const receive = (from: number, to: number) =>
    followers[0]?.receive(
      Array.from({ length: to - from }, (_, index) => requestAt(from + index)),
      0,
    );
  receive(0, 499);
  receive(499, 10_000);
  const first = await take(items, 501);
  expect(first.slice(-2)).toMatchObject([
    { event: 'request', data: { path: '/498' } },
    { event: 'missed', data: { count: 9_501 } },
  ]);
  receive(10_000, 10_001);
  expect(await take(items, 1)).toMatchObject([{ event: 'request', data: { path: '/10000' } }]);
  await items.return(undefined);
});

test('holds no more for a reader who takes nothing at all, whatever happens', async () => {
  const { feed, followers } = openFeed();
  const items = await feed.follow(caller);
  for (let round = 0; round < 1_000; round++) {
    followers[0]?.setScope(round % 2 === 0);
    followers[0]?.receive([requestAt(round), requestAt(round)], 3);
  }
  let [held, told] = [0, 0];
  while (told < 5_000) {
    const [item] = await take(items, 1);
    held += 1;
    if (item?.event === 'missed') told += item.data.count;
    if (item?.event === 'request') told += 1;
  }
  expect(held).toBeLessThan(505);
  await items.return(undefined);
  const { value } = await items.next();
  expect(value).toBeUndefined();
  expect(followers).toHaveLength(0);
});

test('what was lost between nodes is told before what follows', async () => {
  const { feed, followers } = openFeed();
  const items = await feed.follow(caller);
  followers[0]?.receive([requestAt(1)], 7);
  expect(await take(items, 3)).toMatchObject([
    { event: 'scope' },
    { event: 'missed', data: { count: 7 } },
    { event: 'request' },
  ]);
  await items.return(undefined);
});

test('ten readers of one key are enough; one that leaves makes room', async () => {
  const { feed } = openFeed();
  const open = await Promise.all(Array.from({ length: 10 }, () => feed.follow(caller)));
  await expect(feed.follow(caller)).rejects.toMatchObject({ code: 'too_many_subscriptions' });
  expect(await feed.follow({ ...caller, keyId: 'another' })).toBeDefined();
  await open[0]?.return(undefined);
  await open[0]?.return(undefined);
  expect(await feed.follow(caller)).toBeDefined();
  await expect(feed.follow(caller)).rejects.toMatchObject({ code: 'too_many_subscriptions' });
});

test('a live key follows nothing, and is told why', async () => {
  const { feed, followers } = openFeed();
  await expect(feed.follow({ ...caller, mode: 'live' })).rejects.toMatchObject({
    code: 'test_mode_only',
    message: 'The requests of a live key are not shown: use a test key',
  });
  expect(followers).toHaveLength(0);
});
