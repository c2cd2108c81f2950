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

test('requests that hang at one address of an origin do not fail those to another', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/healthy') response.end('ok');
  });
  const sender = allowedSender({ timeoutMs: 1_500 });
  // Two endpoints, each with its 20 requests.
  for (let count = 0; count < 40; count += 1)
    void sender.send(to(`http://127.0.0.1:${server.port}/hanging${count % 2}`));
  expect(await sender.send(to(`http://127.0.0.1:${server.port}/healthy`))).toMatchObject({ status: 200 });
});

test('not all connections to many origins are kept, and each gets its response', async () => {
  const server = await answering();
  const names = Array.from({ length: 300 }, (_, index) => `shop${index}.example`);
  const sender = allowedSender({ allowedHosts: names, lookup: resolvingTo('127.0.0.1') });
  const sent = names.map((name) => sender.send(to(`http://${name}:${server.port}/`)));
  for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ status: 200 });
  await eventually(() => {
    expect(server.sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(256);
  });
  expect(server.sockets).toHaveLength(300);
});
