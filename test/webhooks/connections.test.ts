import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { allowedSender, resolvingTo, serve, to } from './servers.ts';

const answering = () => serve((_, response) => response.end('ok'));

test('connections are reused', async () => {
  const server = await answering();
  const sender = allowedSender();
  for (let count = 0; count < 10; count += 1) await sender.send(to(`http://127.0.0.1:${server.port}/`));
  // The pool may not yet know of one that is free again.
  expect(server.sockets.length).toBeLessThanOrEqual(2);
});

test('a single origin gets at most 32 connections', async () => {
  const server = await answering();
  const sender = allowedSender();
  const sent = Array.from({ length: 100 }, () => sender.send(to(`http://127.0.0.1:${server.port}/`)));
  for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ status: 200 });
  expect(server.sockets.length).toBeLessThanOrEqual(32);
});

test('not all connections to many origins are kept, and each gets its response', async () => {
  const server = await answering();
  const names = Array.from({ length: 300 }, (_, index) => `shop${index}.example`);
  const sender = allowedSender({ allowedHosts: names, lookup: resolvingTo('127.0.0.1') });
  const sent = names.map((name) => sender.send(to(`http://${name}:${server.port}/`)));
  for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ status: 200 });
  await eventually(() => {
    expect(server.sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(256);
  }, 1_000);
  expect(server.sockets).toHaveLength(300);
});
