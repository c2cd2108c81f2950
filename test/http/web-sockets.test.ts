import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { createInFlight } from '../../src/http/live/in-flight.ts';
import { guardSocket } from '../../src/http/live/web-socket.ts';
import { eventually } from '../support/eventually.ts';

test('a socket has a few operations in flight, and begins the next as one is over', async () => {
  const inFlight = createInFlight();
  const overs = Array.from({ length: 32 }, () => {
    expect(inFlight.room()).toBeUndefined();
    return inFlight.add();
  });
  const room = inFlight.room();
  overs[5]?.();
  await room;
  expect(inFlight.room()).toBeUndefined();
  inFlight.add();
  expect(inFlight.room()).toBeDefined();
});

/** A client, and the server's end of its connection, whose messages wait for the test. */
async function connected() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [accepted] = (await once(server, 'connection')) as [WebSocket];
  await once(client, 'open');
  const handled: string[] = [];
  const waiting: (() => void)[] = [];
  const socket = guardSocket(accepted, {
    takeTurn: () =>
      new Promise((resolve) =>
        waiting.push(() => {
          resolve(true);
        }),
      ),
    onFailure(error) {
      throw error;
    },
  });
  socket.onMessage(async (text) => void handled.push(text));
  return {
    client,
    accepted,
    handled,
    waiting,
    /** Gives each message its turn. */
    async beginAll(count: number): Promise<void> {
      await eventually(() => {
        waiting.shift()?.();
        expect(handled.length).toBe(count);
      });
    },
    async stop(): Promise<void> {
      client.terminate();
      for (const each of server.clients) each.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('messages of a socket are handled in their order, one a turn', async () => {
  const { client, handled, waiting, stop } = await connected();
  for (const text of ['a', 'b', 'c']) client.send(text);
  await eventually(() => {
    expect(waiting.length).toBe(1);
  });
  expect(handled).toEqual([]);
  waiting.shift()?.();
  await eventually(() => {
    expect([handled, waiting.length]).toEqual([['a'], 1]);
  });
  await stop();
});

test('no more is read of a socket than waits for its turn, and nothing of it is lost', async () => {
  const { client, accepted, handled, beginAll, stop } = await connected();
  const kilobyte = 'x'.repeat(1_024);
  for (let sent = 0; sent < 200; sent++) client.send(kilobyte);
  await eventually(() => {
    expect(accepted.isPaused).toBe(true);
  });
  await beginAll(200);
  expect(handled.every((text) => text === kilobyte)).toBe(true);
  expect(accepted.isPaused).toBe(false);
  await stop();
});

test('messages of a socket that is gone are not handled', async () => {
  const { client, accepted, handled, waiting, stop } = await connected();
  for (const text of ['a', 'b', 'c']) client.send(text);
  await eventually(() => {
    expect(waiting.length).toBe(1);
  });
  client.terminate();
  await once(accepted, 'close');
  waiting.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect([handled, waiting]).toEqual([[], []]);
  await stop();
});
