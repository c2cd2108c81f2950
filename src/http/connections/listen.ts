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
import { Connection } from './connection.ts';
import { limitFloods } from '../limits/flood-limit.ts';
import { faultOf, messageClassesOf } from '../base/messages.ts';
import { createRefusals } from '../base/refuse.ts';

export interface Listener {
  port: number;
  /** Has connections close with their last response, so that a proxy that keeps them makes its next ones elsewhere. */
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
  /** How long a client may take nothing of a response. An export may pause for a minute, event streams have pings. */
  silentMs: number;
}

const defaultTimeouts: Timeouts = {
  requestMs: 30_000,
  headersMs: 15_000,
  checkEveryMs: 5_000,
  silentMs: 90_000,
};

/** An idle connection takes 7 kB, so these leave enough memory to work. */
const defaultLimits = { perNode: 8_000, perAddress: 1_000 };

interface ListenOptions {
  host: string;
  port: number;
  logger: Logger;
  takeUpgrade?: TakeUpgrade;
  patience?: Partial<Timeouts>;
  limits?: Pick<ConnectionLimits, 'perNode' | 'perAddress'>;
}

export async function listen(
  app: Express,
  { host, port, logger, takeUpgrade, patience, limits = defaultLimits }: ListenOptions,
): Promise<Listener> {
  const timeouts = { ...defaultTimeouts, ...patience };
  const refusals = createRefusals(logger);
  const floods = limitFloods(endFlood);
  let isStopAnnounced = false;
  let isStopping = false;
  const connections = new Map<Socket, Connection>();
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const limited = limitConnections({ ...limits, isProxy: (address) => isProxy(address, 0) });
  const handleRequest: RequestListener = (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection || !floods.mayBegin(request.socket)) return;
    if (!connection.take(request, response)) endFlood(request.socket);
  };

  function end(socket: Socket, refuse: () => void): void {
    const connection = connections.get(socket);
    if (connection) connection.end(refuse);
    else refuse();
  }

  function endFlood(socket: Socket): void {
    end(socket, () => {
      refusals.flood(socket);
    });
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
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
    request.url = target;
    app(request as Request, response as Response);
  }
  // Node's own responses to a missing Host, an unknown Expect or CONNECT have no body, or do not exist.
  const server: Server = createServer(
    {
      requireHostHeader: false,
      requestTimeout: timeouts.requestMs,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      ...messageClassesOf(app, floods, { takesUpgrades: takeUpgrade !== undefined }),
    },
    handleRequest,
  );
  server.on('checkExpectation', handleRequest);
  server.on('connect', (request, socket) => {
    if (floods.isFlooding(request.socket)) return;
    end(request.socket, () => {
      refusals.connect(socket);
    });
  });
  server.maxConnections = limited.most;
  server.on('upgrade', (request, socket, head) => {
    if (floods.isFlooding(request.socket)) return;
    const refusal =
      limited.refusalOf(request.socket) ??
      (isStopping ? new Unavailable('lost').asServiceError() : undefined);
    end(request.socket, () => {
      if (refusal) refusals.upgrade(refusal, socket);
      else takeUpgrade?.(request as Request, socket, head);
    });
  });
  // Above the idle timeout of common load balancers, so that they close first.
  server.keepAliveTimeout = 75_000;
  server.timeout = timeouts.silentMs;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    end(socket as Socket, () => {
      refusals.brokenHttp(error, socket);
    });
  });
  server.on('connection', (socket) => {
    const connection = new Connection(socket, respond);
    if (isStopAnnounced) connection.announceStop();
    connections.set(socket, connection);
    limited.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: connectionBacklog }, resolve);
  });

  function announceStop(): void {
    isStopAnnounced = true;
    for (const connection of connections.values()) connection.announceStop();
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
