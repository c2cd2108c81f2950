import type { Request } from 'express';
import { parse } from 'graphql';
import { CloseCode, type Context, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { clientNetwork } from '../../core/base/client-network.ts';
import { ServiceError } from '../../core/base/errors.ts';
import { type ReportedError, toReportedError } from '../../transport/errors.ts';
import { reviveInexact } from '../../core/base/json/exact-json.ts';
import { createTally } from '../../core/base/pacing/tally.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Caller, holderOf } from '../../core/base/caller.ts';
import { createFairSteps } from '../../core/base/pacing/fair-steps.ts';
import type { LiveSessions } from '../../core/live/live-sessions.ts';
import { type ErrorStatus, statusOf } from '../../transport/error-body.ts';
import { asEndedSession, type PersonAuthenticator } from '../authentication/authenticate-people.ts';
import { assertNotInBrowser, type Authenticator } from '../authentication/authenticate.ts';
import type { GraphqlEndpoint } from '../../transport/graphql-endpoint.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { TakeUpgrade } from '../connections/listen.ts';
import type { MeasureOperation } from './measure-operations.ts';
import { createRefusals } from '../base/refuse.ts';
import { createSocketOperations, sendResults } from './socket-operations.ts';
import { type GuardedSocket, guardSocket } from './web-socket.ts';

interface Dependencies {
  graphql: Pick<GraphqlEndpoint, 'weigh' | 'stream' | 'refuse'>;
  sessions: Pick<LiveSessions, 'open'>;
  authenticator: Pick<Authenticator, 'identify'>;
  people: PersonAuthenticator;
  count(caller: Caller, cost: number): Promise<void>;
  corsOrigins: readonly string[];
  measure: MeasureOperation;
  logger: Logger;
}

interface Connection {
  /** Express works out the client's address, which behind proxies is in a header. */
  request: Request;
  socket: GuardedSocket;
  caller?: Caller;
  markAuthenticated: () => void;
  inFlight: InFlight;
  /** Closes once what is in progress is over, and begins nothing further. */
  isStopping: boolean;
  leave?: () => void;
}

type ConnectionContext = Context<Record<string, unknown>, Connection>;

/** graphql-ws needs a document to recognise a stream; here, every operation is one. */
const anySubscription = parse('subscription { any }');
const maximumMessageBytes = 65_536;
/** Each of them has three seconds to authenticate. */
const maximumUnknownPerAddress = 50;

const closeCodes: Partial<Record<ErrorStatus, number>> = {
  400: CloseCode.BadRequest,
  401: CloseCode.Unauthorized,
  403: CloseCode.Forbidden,
  429: CloseCode.TooManyInitialisationRequests,
  // "Try again later" (IANA): clients reconnect after it, which they would not after 4500.
  503: 1013,
};

const tooManyUnknown = () =>
  new ServiceError(
    'too_many_connections',
    `At most ${maximumUnknownPerAddress} WebSockets from one address may be waiting for connection_init`,
    { retryAfterSeconds: 3 },
  );

const requestedTenantOf = (connectionParams: Record<string, unknown>) => ({
  organizationId: connectionParams['X-Organization-Id'],
  mode: connectionParams['X-Mode'],
});

interface GraphqlWebSocket {
  take: TakeUpgrade;
  /** Closes unauthenticated sockets; the others end with their sessions. */
  stop(): void;
}

/** GraphQL over WebSocket at `/graphql`, subprotocol graphql-transport-ws. */
export function createGraphqlWebSocket(dependencies: Dependencies): GraphqlWebSocket {
  const { graphql, sessions, authenticator, people, count, corsOrigins, measure, logger } = dependencies;

  const takeStep = createFairSteps();
  const begin = createSocketOperations({ graphql, count, measure });
  /** Sockets that have not authenticated yet. */
  const strangers = new Set<GuardedSocket>();

  const closer =
    (socket: GuardedSocket) =>
    (reason: ReportedError | undefined): void => {
      if (reason) socket.close(closeCodes[statusOf(reason)] ?? CloseCode.InternalServerError, reason.message);
      else socket.close(1001, 'The service is stopping: connect again');
    };

  async function connect({ connectionParams = {}, extra }: ConnectionContext): Promise<boolean> {
    const { headers, ip } = extra.request;
    try {
      const sent = {
        key: connectionParams['X-API-Key'] ?? headers['x-api-key'],
        authorization: connectionParams['Authorization'] ?? headers.authorization,
      };
      // Browsers send cookies to a WebSocket that any site opens, so a session requires our own origin.
      const caller =
        (await people.identify(headers, sent, requestedTenantOf(connectionParams))) ??
        (await authenticator.identify(ip, sent).catch((error: unknown) => {
          throw people.hasSession(headers) ? asEndedSession(error, sent) : error;
        }));
      assertNotInBrowser(caller, headers.origin, corsOrigins);
      extra.caller = caller;
      extra.markAuthenticated();
      const close = closer(extra.socket);
      extra.leave = sessions.open(caller, ip, (reason) => {
        if (reason) {
          close(reason);
          return;
        }
        extra.isStopping = true;
        extra.inFlight.whenNone(() => {
          close(undefined);
        });
      });
      if (extra.socket.isClosed()) extra.leave();
      return true;
    } catch (error) {
      const reported = toReportedError(error);
      if (!reported) throw error;
      closer(extra.socket)(reported);
      return false;
    }
  }

  const protocol = makeServer<Record<string, unknown>, Connection>({
    onConnect: connect,
    async onSubscribe({ extra }, id, payload) {
      if (!extra.caller) throw new Error('operation received before connection_init');
      const begun = await begin(extra.caller, payload, extra.inFlight);
      if (Array.isArray(begun)) return begun;
      const rootValue = sendResults(begun, id, extra.socket);
      return { schema: undefined as never, document: anySubscription, rootValue };
    },
    subscribe: ({ rootValue }) => rootValue as AsyncGenerator<never>,
    jsonMessageReviver: reviveInexact,
    onClose({ extra }) {
      extra.leave?.();
    },
  });

  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maximumMessageBytes,
    clientTracking: false,
    handleProtocols: (protocols) => handleProtocols(protocols),
  });
  const refusals = createRefusals(logger);
  server.on('wsClientError', refusals.handshake);
  const unknown = createTally();

  function open(webSocket: WebSocket, request: Request): void {
    const socket = guardSocket(webSocket, {
      // A single packet may contain thousands of operations.
      async takeTurn() {
        if (!extra.caller) return true;
        await extra.inFlight.room();
        await takeStep(holderOf(extra.caller), socket.isClosed);
        return !extra.isStopping;
      },
      onFailure: (error) => {
        logger.error({ error }, 'WebSocket failed');
      },
    });
    const leave = unknown.add(clientNetwork(request.ip));
    strangers.add(socket);
    const markAuthenticated = (): void => {
      leave();
      strangers.delete(socket);
    };
    const extra: Connection = {
      request,
      socket,
      markAuthenticated,
      inFlight: createInFlight(),
      isStopping: false,
    };
    const closed = protocol.opened(socket, extra);
    webSocket.once('close', (code, reason) => {
      markAuthenticated();
      void closed(code, String(reason));
    });
  }

  return {
    take(request, socket, head) {
      if (unknown.of(clientNetwork(request.ip)) >= maximumUnknownPerAddress) {
        refusals.upgrade(tooManyUnknown(), socket);
        return;
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        open(webSocket, request);
      });
    },
    stop() {
      for (const socket of strangers) closer(socket)(undefined);
    },
  };
}
