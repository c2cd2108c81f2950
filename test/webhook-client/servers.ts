import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import type { Lookup } from '../../src/network/connector.ts';
import { createWebhookClient, type WebhookClientOptions } from '../../src/webhook-client/client.ts';
import type { Certificate } from '../support/certificates.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.();
});

/** What a server on loopback has seen. */
export interface Watched {
  port: number;
  sockets: Socket[];
  /** Counts all connections. */
  bytesReceived(): number;
}

async function watch(server: Server, host = '127.0.0.1'): Promise<Watched> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, host);
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    bytesReceived: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  };
}

export const serve = (listener: RequestListener): Promise<Watched> => watch(createServer(listener));

export const serveSecurely = (
  { certificate, privateKey }: Certificate,
  listener: RequestListener,
): Promise<Watched> => watch(createSecureServer({ cert: certificate, key: privateKey }, listener));

/** Does with each connection what it likes; on every interface when `host` says so. */
export const serveRaw = (onSocket: (socket: Socket) => void, host?: string): Promise<Watched> =>
  watch(createTcpServer(onSocket), host);

export const senderWith = (options: Partial<WebhookClientOptions> = {}) => {
  const sender = createWebhookClient({ allowedHosts: [], ...options });
  cleanups.push(() => sender.close());
  return sender;
};

/** For servers on loopback. */
export const allowedSender = (options: Partial<WebhookClientOptions> = {}) =>
  senderWith({ allowedHosts: ['127.0.0.1'], ...options });

/** Every name leads to these addresses. */
export const resolvingTo =
  (...addresses: string[]): Lookup =>
  (_, __, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

export const to = (url: string, body = '{"test": 2432232314}') => ({ url, headers: {}, body });
