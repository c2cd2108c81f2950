import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response } from 'express';
import type { Logger } from '../observability/logger.ts';
import { type ConnectionLimits, limitConnections } from './limits/connection-limits.ts';
import { createRefusals } from './refuse.ts';

export interface Listener {
  port: number;
  /** Takes no new connection, lets requests in flight finish, then resolves; cuts what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** How long a connection without a request is kept once stopping: a request may be on its way on it. */
const idleGraceMs = 500;

/** Beyond it a burst of new clients would wait a second and more to send their SYN again; Node's own is 511. */
const connectionBacklog = 4_096;

/** The path and query of what a proxy is sent, `http://host/path?query`; undefined when it is no URL. */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  if (!URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return (pathname || '/') + search;
}

/** Takes a connection over, or answers false. */
export type TakeUpgrade = (request: Request, socket: Duplex, head: Buffer) => boolean;

/** As if the client had not asked: what is upgraded to is offered, and nobody has to take it. */
function withoutUpgrade(request: IncomingMessage, head: Buffer): Buffer {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const isConnection = name.toLowerCase() === 'connection';
    lines.push(`${name}: ${isConnection ? value.replace(/\bupgrade\b/gi, 'x-upgrade') : value}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
}

/**
 * Express gives each request and response the prototype of the app, which costs as much as answering a small
 * request. These are born with it.
 */
function bornOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as unknown as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

interface Patience {
  /** For the whole of a request to arrive. */
  requestMs: number;
  headersMs: number;
  /** How often both are looked at. */
  checkEveryMs: number;
}

const usualPatience: Patience = { requestMs: 30_000, headersMs: 15_000, checkEveryMs: 5_000 };

/** An idle connection takes 7 kB: all of them leave memory for the work. */
const usualLimits = { perNode: 8_000, perAddress: 1_000 };

interface ListenOptions {
  host: string;
  port: number;
  logger: Logger;
  takeUpgrade?: TakeUpgrade;
  patience?: Patience;
  limits?: Pick<ConnectionLimits, 'perNode' | 'perAddress'>;
}

export async function listen(
  app: Express,
  {
    host,
    port,
    logger,
    takeUpgrade = () => false,
    patience = usualPatience,
    limits = usualLimits,
  }: ListenOptions,
): Promise<Listener> {
  const refusals = createRefusals(logger);
  let isStopping = false;
  const connections = new Set<Socket>();
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const limited = limitConnections({ ...limits, isProxy: (address) => isProxy(address, 0) });
  const inFlight = new Set<ServerResponse>();
  const answer: RequestListener = (request, response) => {
    const refusal = limited.refusalOf(request.socket);
    if (refusal) {
      refusals.excessive(refusal, response);
      return;
    }
    const target = originForm(request.url ?? '');
    const hasHost = request.headers.host !== undefined || request.httpVersion === '1.0';
    if (target === undefined || !hasHost) {
      refusals.malformed(response);
      return;
    }
    if (isStopping) response.setHeader('Connection', 'close');
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    request.url = target;
    app(request as Request, response as Response);
  };
  // Node itself would answer a missing Host, an unknown Expect and CONNECT without a body or not at all.
  const server: Server = createServer(
    {
      requireHostHeader: false,
      requestTimeout: patience.requestMs,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkEveryMs,
      ...bornOf(app),
    },
    answer,
  );
  server.on('checkExpectation', answer);
  server.on('connect', refusals.connect);
  server.maxConnections = limited.most;
  server.on('upgrade', (request, socket, head) => {
    const isRefused = limited.refusalOf(request.socket) !== undefined;
    if (!isStopping && !isRefused && takeUpgrade(request as Request, socket, head)) return;
    socket.unshift(withoutUpgrade(request, head));
    server.emit('connection', socket);
  });
  // Longer than the idle timeout of common load balancers, so that it is they who close.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', refusals.brokenHttp);
  server.on('connection', (socket) => {
    // Again after each Upgrade that nobody took.
    if (connections.has(socket)) return;
    connections.add(socket);
    limited.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: connectionBacklog }, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,

    async stop(graceMs) {
      isStopping = true;
      // A client that sends its next request on a connection that is about to go would lose it.
      for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close');
      // http's own close() would cut idle connections at once, and with them a request on its way.
      const closed = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(server, () => {
          resolve();
        }),
      );
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        // To http a connection on which nothing has come yet is not idle.
        for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      }, idleGraceMs);
      const cut = setTimeout(() => {
        server.closeAllConnections();
        // Those that were taken over are none of http's any more.
        for (const socket of connections) socket.destroy();
      }, graceMs);
      await closed;
      for (const timer of [sweep, cut]) clearTimeout(timer);
    },
  };
}
