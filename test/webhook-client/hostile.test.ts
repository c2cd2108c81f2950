import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from '@jest/globals';
import type { Lookup } from '../../src/network/connector.ts';
import { allowedSender, resolvingTo, senderWith, serve, serveRaw, to } from './servers.ts';

const notPublic = 'the address is not public, and WEBHOOK_ALLOWED_HOSTS does not list its host';
const notHttp = 'the URL is neither https nor http';

/** Every interface, so that whatever leads to this machine is caught. */
const trapped = () => serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), '::');

test('the trap works', async () => {
  const trap = await trapped();
  for (const host of ['127.0.0.1', '[::1]', '0.0.0.0']) {
    const sender = senderWith({ allowedHosts: [host] });
    expect(await sender.send(to(`http://${host}:${trap.port}/`))).toMatchObject({ status: 200 });
  }
  expect(trap.sockets).toHaveLength(3);
});

describe('a URL with an address', () => {
  test.each([
    ['http://127.0.0.1:PORT/', notPublic],
    ['https://127.0.0.1:PORT/', notPublic],
    ['http://127.1:PORT/', notPublic],
    ['http://127.0.0.1.:PORT/', notPublic],
    ['http://2130706433:PORT/', notPublic],
    ['http://017700000001:PORT/', notPublic],
    ['http://0177.0.0.1:PORT/', notPublic],
    ['http://0x7f000001:PORT/', notPublic],
    ['http://0x7f.0x0.0x0.0x1:PORT/', notPublic],
    ['http://１２７.０.０.１:PORT/', notPublic],
    ['http://①②⑦.⓪.⓪.①:PORT/', notPublic],
    ['http://%31%32%37.0.0.1:PORT/', notPublic],
    ['http://127.255.255.254:PORT/', notPublic],
    ['http://0.0.0.0:PORT/', notPublic],
    ['http://0:PORT/', notPublic],
    ['http://10.0.0.1:PORT/', notPublic],
    ['http://172.16.0.1:PORT/', notPublic],
    ['http://192.168.0.1:PORT/', notPublic],
    ['http://100.64.0.1:PORT/', notPublic],
    ['http://169.254.169.254/latest/meta-data/', notPublic],
    ['http://100.100.100.200/latest/meta-data/', notPublic],
    ['http://168.63.129.16/machine?comp=goalstate', notPublic],
    ['http://224.0.0.1:PORT/', notPublic],
    ['http://255.255.255.255:PORT/', notPublic],
    ['http://[::1]:PORT/', notPublic],
    ['https://[::1]:PORT/', notPublic],
    ['http://[::]:PORT/', notPublic],
    ['http://[::ffff:127.0.0.1]:PORT/', notPublic],
    ['http://[::127.0.0.1]:PORT/', notPublic],
    ['http://[64:ff9b::127.0.0.1]:PORT/', notPublic],
    ['http://[2002:7f00:1::]:PORT/', notPublic],
    ['http://[2001:0:7f00:1::80ff:fffe]:PORT/', notPublic],
    ['http://[fe80::1]:PORT/', notPublic],
    ['http://[fe80::1%25lo]:PORT/', 'the URL is invalid'],
    ['http://[fd00:ec2::254]/latest/meta-data/', notPublic],
    ['http://127.0.0.1:PORT\\@shop.example.com/', notPublic],
    ['http://user:password@127.0.0.1:PORT/', 'the URL contains a user name or a password'],
    ['http://8.8.8.8@127.0.0.1:PORT/', 'the URL contains a user name or a password'],
    ['ftp://127.0.0.1:PORT/', notHttp],
    ['gopher://127.0.0.1:PORT/_INFO', notHttp],
    ['file:///etc/passwd', notHttp],
    ['data:text/plain,hello', notHttp],
    ['unix:/var/run/docker.sock', notHttp],
    ['//127.0.0.1:PORT/', 'the URL is invalid'],
    ['http://', 'the URL is invalid'],
  ])('%s opens no connection', async (url, error) => {
    const trap = await trapped();
    const answer = await senderWith().send(to(url.replace('PORT', String(trap.port))));
    expect(answer).toEqual({ error, status: null, latencyMs: expect.any(Number) });
    expect(trap.sockets).toHaveLength(0);
  });
});

describe('a name', () => {
  test.each([
    ['localhost', ['127.0.0.1']],
    ['localhost.', ['127.0.0.1']],
    ['localhost', ['::1', '127.0.0.1']],
    ['127.0.0.1.nip.io', ['127.0.0.1']],
    ['metadata.google.internal', ['169.254.169.254']],
    ['metadata.google.internal.', ['169.254.169.254']],
    ['metadata', ['169.254.169.254']],
    ['instance-data.ec2.internal', ['169.254.169.254', 'fd00:ec2::254']],
    ['any.example', ['0.0.0.0']],
    ['mapped.example', ['::ffff:127.0.0.1']],
    ['nat64.example', ['64:ff9b::7f00:1']],
    ['zone.example', ['fe80::1%lo']],
    ['last.example', ['8.8.8.8', '127.0.0.1']],
    ['first.example', ['127.0.0.1', '8.8.8.8']],
    ['families.example', ['2606:4700:4700::1111', '127.0.0.1']],
    ['nonsense.example', ['127.0.0.1:80']],
  ])('%s that resolves to %j opens no connection', async (name, addresses) => {
    const trap = await trapped();
    const sender = senderWith({ lookup: resolvingTo(...addresses) });
    for (const protocol of ['http', 'https']) {
      const answer = await sender.send(to(`${protocol}://${name}:${trap.port}/`));
      expect(answer).toMatchObject({ error: notPublic });
    }
    expect(trap.sockets).toHaveLength(0);
  });

  test('localhost, as resolved by the system', async () => {
    const trap = await trapped();
    expect(await senderWith().send(to(`http://localhost:${trap.port}/`))).toMatchObject({ error: notPublic });
    expect(trap.sockets).toHaveLength(0);
  });

  test('that no allowed host covers', async () => {
    const trap = await trapped();
    const allowedHosts = [`localhost:${trap.port + 1}`, 'shop.example', '10.0.0.1', '*'];
    const sender = senderWith({ allowedHosts, lookup: resolvingTo('127.0.0.1') });
    for (const host of ['localhost', 'shop.example.evil.example', '127.0.0.1']) {
      expect(await sender.send(to(`http://${host}:${trap.port}/`))).toMatchObject({ error: notPublic });
    }
    expect(trap.sockets).toHaveLength(0);
  });
});

/** Public for whoever looks first, and loopback for whoever looks again. */
function turning(): { lookup: Lookup; calls: () => number } {
  let calls = 0;
  let looks = 0;
  const address: LookupAddress = {
    family: 4,
    get address() {
      looks += 1;
      return looks === 1 ? '93.184.216.34' : '127.0.0.1';
    },
  };
  return {
    lookup: (_, __, callback) => {
      calls += 1;
      callback(null, [address]);
    },
    calls: () => calls,
  };
}

describe.each(['http', 'https'])('a name that changes its address, by %s', (protocol) => {
  test('is resolved once, and a connection that landed on loopback carries not a byte', async () => {
    const trap = await serveRaw(() => undefined);
    const { lookup, calls } = turning();
    const sender = senderWith({ lookup });
    const answer = await sender.send(to(`${protocol}://rebind.example:${trap.port}/`));
    expect(answer).toMatchObject({ error: notPublic });
    expect(calls()).toBe(1);
    expect(trap.sockets).toHaveLength(1);
    const [socket] = trap.sockets;
    if (socket && !socket.closed) await new Promise((resolve) => socket.once('close', resolve).resume());
    expect(trap.bytesReceived()).toBe(0);
  });

  test('is checked anew for each connection', async () => {
    const trap = await trapped();
    const sender = senderWith({ lookup: resolvingTo('127.0.0.1') });
    const url = `${protocol}://rebind.example:${trap.port}/`;
    const answers = await Promise.all([sender.send(to(url)), sender.send(to(url))]);
    for (const answer of [...answers, await sender.send(to(url))]) {
      expect(answer).toMatchObject({ error: notPublic });
    }
    expect(trap.sockets).toHaveLength(0);
  });
});

test.each([300, 301, 302, 303, 307, 308])('a redirect to loopback is a response: %i', async (status) => {
  const trap = await trapped();
  const server = await serve((_, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${trap.port}/` }).end();
  });
  const sender = senderWith({ allowedHosts: [`127.0.0.1:${server.port}`] });
  expect(await sender.send(to(`http://127.0.0.1:${server.port}/`))).toMatchObject({ status });
  expect(trap.sockets).toHaveLength(0);
});

test('proxy variables have no effect', async () => {
  const trap = await trapped();
  const server = await serve((_, response) => response.end());
  const before = { ...process.env };
  Object.assign(process.env, { HTTP_PROXY: `http://127.0.0.1:${trap.port}`, NODE_USE_ENV_PROXY: '1' });
  try {
    expect(await allowedSender().send(to(`http://127.0.0.1:${server.port}/`))).toMatchObject({ status: 200 });
  } finally {
    process.env = before;
  }
  expect(trap.sockets).toHaveLength(0);
});
