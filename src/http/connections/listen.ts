import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response } from 'express';
import { Unavailable } from '../../core/base/errors.ts';
import { parseUrl } from '../../core/base/parse-url.ts';
import type { Logger } from '../../observability/logger.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';
import { limitFloods, maximumRequests, piecesPerRequest } from '../limits/flood-limit.ts';
import { faultOf, messageClassesOf } from '../base/messages.ts';
import { createRefusals } from '../base/refuse.ts';

export interface Listener {
  port: number;
  /** Has connections close with their next response: a proxy that keeps them makes new ones at other nodes while this one still accepts them. */
  announceStop(): void;
  /** Stops accepting connections and waits for requests in flight; after `graceMs`, closes what is left. */
  stop(graceMs: number): Promise<void>;
}

/** How long idle connections stay open while stopping, because a request may be on its way. */
const idleGraceMs = 500;

/** Node's default is 511. Clients in a larger burst would wait a second or more to resend their SYN. */
const connectionBacklog = 4_096;

/** Path and query of an absolute-form target, `http://host/path?query`; undefined when it is not a URL. */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const url = parseUrl(target);
  return url && (url.pathname || '/') + url.search;
}

/** Takes the connection over. */
export type TakeUpgrade = (request: Request, socket: Duplex, head: Buffer) => void;

interface Timeouts {
  /** Time for a whole request to arrive. */
  requestMs: number;
  headersMs: number;
  /** Interval at which both are checked. */
  checkEveryMs: number;
}

const defaultTimeouts: Timeouts = { requestMs: 30_000, headersMs: 15_000, checkEveryMs: 5_000 };

/** An idle connection takes 7 kB, so these leave enough memory to work. */
const defaultLimits = { perNode: 8_000, perAddress: 1_000 };

interface ListenOptions {
  host: string;
  port: number;
  logger: Logger;
  takeUpgrade?: TakeUpgrade;
  patience?: Timeouts;
  limits?: Pick<ConnectionLimits, 'perNode' | 'perAddress'>;
}

export async function listen(
  app: Express,
  { host, port, logger, takeUpgrade, patience = defaultTimeouts, limits = defaultLimits }: ListenOptions,
): Promise<Listener> {
  const refusals = createRefusals(logger);
  const floods = limitFloods(refusals.flood);
  let isStopAnnounced = false;
  let isStopping = false;
  /** The connections, each with the responses that are on their way. */
  const connections = new Map<Socket, Set<ServerResponse>>();
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const limited = limitConnections({ ...limits, isProxy: (address) => isProxy(address, 0) });
  const handleRequest: RequestListener = (request, response) => {
    const inFlight = connections.get(request.socket);
    if (!inFlight || !floods.mayGoOn(request.socket, piecesPerRequest)) return;
    if (inFlight.size >= maximumRequests) {
      refusals.flood(request.socket);
      return;
    }
    const refusal = limited.refusalOf(request.socket);
    if (refusal) {
      refusals.excessive(refusal, response);
      return;
    }
    const target = originForm(request.url ?? '');
    const fault = faultOf(request);
    if (target === undefined || fault !== undefined) {
      refusals.malformed(response, fault);
      return;
    }
    if (isStopAnnounced) response.setHeader('Connection', 'close');
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    request.url = target;
    app(request as Request, response as Response);
  };
  // Node's own responses to a missing Host, an unknown Expect or CONNECT have no body, or do not exist.
  const server: Server = createServer(
    {
      requireHostHeader: false,
      requestTimeout: patience.requestMs,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkEveryMs,
      ...messageClassesOf(app, floods, { takesUpgrades: takeUpgrade !== undefined }),
    },
    handleRequest,
  );
  server.on('checkExpectation', handleRequest);
  /** Node aborts the requests of a connection when it closes, but not when somebody took it over. */
  function abortWithConnection({ socket }: IncomingMessage): void {
    const requests = [...(connections.get(socket) ?? [])].map(({ req }) => req);
    socket.once('close', () => {
      for (const request of requests) request.destroy();
    });
  }
  server.on('connect', (request, socket) => {
    abortWithConnection(request);
    if (!floods.isFlooding(request.socket)) refusals.connect(socket);
  });
  server.maxConnections = limited.most;
  server.on('upgrade', (request, socket, head) => {
    abortWithConnection(request);
    if (floods.isFlooding(request.socket)) return;
    const refusal =
      limited.refusalOf(request.socket) ??
      (isStopping ? new Unavailable('lost').asServiceError() : undefined);
    if (refusal) refusals.upgrade(refusal, socket);
    else takeUpgrade?.(request as Request, socket, head);
  });
  // Above the idle timeout of common load balancers, so that they close first.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', refusals.brokenHttp);
  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    limited.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: connectionBacklog }, resolve);
  });

  /** A client that reuses a connection about to close would lose its next request. */
  function announceStop(): void {
    isStopAnnounced = true;
    for (const inFlight of connections.values()) {
      for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    announceStop,

    async stop(graceMs) {
      isStopping = true;
      announceStop();
      // http's close() would close idle connections at once and lose a request on its way.
      const closed = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(server, () => {
          resolve();
        }),
      );
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        // http does not count a connection without any bytes as idle.
        for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
      }, idleGraceMs);
      const cut = setTimeout(() => {
        server.closeAllConnections();
        // Upgraded connections no longer belong to http.
        for (const socket of connections.keys()) socket.destroy();
      }, graceMs);
      await closed;
      for (const timer of [sweep, cut]) clearTimeout(timer);
      // The interval that checks for timeouts would keep the server, and everything it can reach, in memory.
      server.close();
    },
  };
}
