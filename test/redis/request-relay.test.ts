import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createRedis, createSubscriber } from '../../src/redis/create-redis.ts';
import { createRequestOutbox } from '../../src/redis/request-outbox.ts';
import { createRequestRelay } from '../../src/redis/request-relay.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

let server: RedisServer;
const open: (() => void)[] = [];

beforeAll(async () => {
  server = await startRedisServer();
});

afterEach(() => {
  for (const close of open.splice(0)) close();
});

afterAll(async () => {
  await server.stop();
});

const isItem = (value: unknown): value is string => typeof value === 'string';

function node() {
  const [publisher, subscriber] = [createRedis(server.url), createSubscriber(server.url)];
  const relay = createRequestRelay({ publisher, subscriber, isItem });
  for (const each of [publisher, subscriber]) void each.connect().catch(() => undefined);
  open.push(() => {
    relay.stop();
    publisher.disconnect();
    subscriber.disconnect();
  });
  return relay;
}

async function follow(relay: ReturnType<typeof node>, keyId: string) {
  const seen = { items: [] as string[], missed: 0, allNodes: false };
  const leave = await relay.follow(keyId, {
    receive(items, missed) {
      seen.items.push(...items);
      seen.missed += missed;
    },
    setScope: (allNodes) => (seen.allNodes = allNodes),
  });
  return { seen, leave };
}

test('what another node serves is seen, and what nobody follows is not sent', async () => {
  const [here, there] = [node(), node()];
  const [followed, other] = [randomUUID(), randomUUID()];
  const { seen } = await follow(here, followed);
  await eventually(() => {
    expect(there.isFollowed(followed)).toBe(true);
    expect(seen.allNodes).toBe(true);
  });
  expect(there.isFollowed(other)).toBe(false);
  there.send(other, 'of nobody');
  there.send(followed, 'there');
  here.send(followed, 'here');
  await eventually(() => expect(seen.items).toEqual(['here', 'there']));
});

test('a node that starts later hears at once who follows what', async () => {
  const keyId = randomUUID();
  await follow(node(), keyId);
  const late = node();
  await eventually(() => expect(late.isFollowed(keyId)).toBe(true), 1_500);
});

test('a follower who has left is sent nothing by its own node, and soon by none', async () => {
  const [here, there] = [node(), node()];
  const keyId = randomUUID();
  const { seen, leave } = await follow(here, keyId);
  await eventually(() => expect(there.isFollowed(keyId)).toBe(true));
  leave();
  expect(here.isFollowed(keyId)).toBe(false);
  there.send(keyId, 'late');
  await eventually(() => expect(there.isFollowed(keyId)).toBe(false));
  expect(seen.items).toEqual([]);
});

test('a flood is sent in part, and the rest counted', async () => {
  const [here, there] = [node(), node()];
  const keyId = randomUUID();
  const { seen } = await follow(here, keyId);
  await eventually(() => expect(there.isFollowed(keyId)).toBe(true));
  for (let number = 0; number < 5_000; number++) there.send(keyId, String(number));
  await eventually(() => expect(seen.items).toHaveLength(100));
  expect(seen.missed).toBe(4_900);
  there.send(keyId, 'last');
  await eventually(() => expect(seen.items.at(-1)).toBe('last'));
});

test('without Redis a follower sees its own node, and is told so, until Redis is back', async () => {
  const [here, there] = [node(), node()];
  const keyId = randomUUID();
  const { seen } = await follow(here, keyId);
  await eventually(() => {
    expect(there.isFollowed(keyId)).toBe(true);
    expect(seen.allNodes).toBe(true);
  });
  await server.kill();
  await eventually(() => expect(seen.allNodes).toBe(false));
  here.send(keyId, 'here');
  expect(seen.items).toEqual(['here']);
  await server.restart();
  await eventually(() => expect(seen.allNodes).toBe(true));
  await eventually(() => {
    there.send(keyId, 'there');
    expect(seen.items).toContain('there');
  });
});

test('what Redis did not take is counted, and told with what follows', async () => {
  const sent: { items: string[]; missed: number }[] = [];
  let attempts = 0;
  const outbox = createRequestOutbox<string>(
    (_key, batch) => {
      attempts += 1;
      if (attempts === 1) return Promise.reject(new Error('down'));
      sent.push(batch);
      return Promise.resolve();
    },
    { everyMs: 50, maximumItems: 100 },
  );
  for (const item of ['a', 'b']) outbox.add('key', item);
  await eventually(() => expect(attempts).toBe(1));
  outbox.add('key', 'c');
  await eventually(() => expect(sent).toEqual([{ items: ['c'], missed: 2 }]));
});

test('a Redis that hangs is told as one that is gone', async () => {
  const here = node();
  const { seen } = await follow(here, randomUUID());
  await eventually(() => expect(seen.allNodes).toBe(true));
  server.pause();
  try {
    await eventually(() => expect(seen.allNodes).toBe(false));
  } finally {
    server.resume();
  }
});

test('what this node cannot read is no harm, whoever published it, and of requests it is counted', async () => {
  const [here, there] = [node(), node()];
  const keyId = randomUUID();
  const { seen } = await follow(here, keyId);
  await eventually(() => expect(there.isFollowed(keyId)).toBe(true));
  const forger = createRedis(server.url);
  await forger.connect();
  open.push(() => forger.disconnect());
  const unreadable = [
    'no JSON',
    'null',
    '7',
    '[]',
    '{}',
    '{"node":"x","keys":7,"left":"a","items":7,"missed":"a"}',
    '{"node":"x","keys":null,"left":null,"items":null,"missed":null}',
    '{"node":"x","keys":[null,7,{}],"left":[null],"items":[null,7],"missed":-1}',
    '{"node":"x","keys":{"length":1},"left":{"length":1},"items":{"length":1},"missed":0.5}',
  ];
  for (const text of unreadable) {
    await forger.publish('pix:followed-keys', text);
    await forger.publish(`pix:requests:${keyId}`, text);
  }
  there.send(keyId, 'there');
  await eventually(() => expect(seen.items).toEqual(['there']));
  expect(seen).toMatchObject({ missed: 2, allNodes: true });
});

test('without an address of Redis it works for the node alone', async () => {
  const relay = createRequestRelay({ publisher: undefined, subscriber: undefined, isItem });
  const { seen, leave } = await follow(relay, 'key');
  relay.send('key', 'here');
  expect(seen).toEqual({ items: ['here'], missed: 0, allNodes: false });
  leave();
  expect(relay.isFollowed('key')).toBe(false);
});
