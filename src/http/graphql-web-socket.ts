import type { Request } from 'express';
import { GraphQLError, parse } from 'graphql';
import { CloseCode, type Context, handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { ServiceError } from '../domain/errors.ts';
import type { Logger } from '../observability/logger.ts';
import { traceIdOf } from '../observability/trace.ts';
import type { Caller } from '../services/caller.ts';
import type { EndSession, LiveSessions } from '../services/live-sessions.ts';
import type { PersonAuthenticator } from './authenticate-people.ts';
import { assertNotInBrowser, type Authenticator } from './authenticate.ts';
import type { GraphqlEndpoint, GraphqlResults } from './graphql.ts';
import type { TakeUpgrade } from './listen.ts';
import { type MeasureOperation, whenOver } from './measure-operations.ts';
import { createRefusals } from './refuse.ts';
import { type KeptSocket, keepSocket } from './web-socket.ts';

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
  /** Express finds its address, which behind proxies is in a header. */
  request: Request;
  socket: KeptSocket;
  caller?: Caller;
  leave?: () => void;
}

type ConnectionContext = Context<Record<string, unknown>, Connection>;

/** graphql-ws wants a document to tell what is a stream; every operation is one here. */
const anySubscription = parse('subscription { any }');
const maximumMessageBytes = 65_536;

const closeCodes: Partial<Record<ServiceError['code'], number>> = {
  bad_request: CloseCode.BadRequest,
  unauthorized: CloseCode.Unauthorized,
  forbidden: CloseCode.Forbidden,
  too_many_requests: CloseCode.TooManyInitialisationRequests,
};

const workplaceOf = (connectionParams: Record<string, unknown>) => ({
  organizationId: connectionParams['X-Organization-Id'],
  mode: connectionParams['X-Mode'],
});

interface GraphqlWebSocket {
  take: TakeUpgrade;
  /** Those too that have not said who they are. */
  stop(): void;
}

/** GraphQL over WebSocket at `/graphql`, subprotocol graphql-transport-ws. */
export function createGraphqlWebSocket(dependencies: Dependencies): GraphqlWebSocket {
  const { graphql, sessions, authenticator, people, count, corsOrigins, measure, logger } = dependencies;

  const sockets = new Set<KeptSocket>();

  const closer =
    (socket: KeptSocket): EndSession =>
    (reason) => {
      if (reason) socket.close(closeCodes[reason.code] ?? CloseCode.InternalServerError, reason.message);
      else socket.close(1001, 'The service stops: connect again');
    };

  async function connect({ connectionParams = {}, extra }: ConnectionContext): Promise<boolean> {
    const { headers, ip } = extra.request;
    try {
      const sent = {
        key: connectionParams['X-API-Key'] ?? headers['x-api-key'],
        authorization: connectionParams['Authorization'] ?? headers.authorization,
      };
      // A browser sends the cookie with whatever page opens the socket, so it counts with the own Origin alone.
      const caller =
        (await people.identify(headers, sent, workplaceOf(connectionParams))) ??
        (await authenticator.identify(ip, sent));
      assertNotInBrowser(caller, headers.origin, corsOrigins);
      extra.caller = caller;
      extra.leave = sessions.open(caller, closer(extra.socket));
      if (extra.socket.isClosed()) extra.leave();
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      closer(extra.socket)(error);
      return false;
    }
  }

  async function begin(
    caller: Caller,
    payload: SubscribePayload,
    traceId: string,
  ): Promise<GraphqlResults | GraphQLError[]> {
    const printed = (errors: readonly { message: string; extensions?: object }[]) =>
      errors.map(({ message, extensions }) => new GraphQLError(message, { extensions: { ...extensions } }));
    const { cost, isSubscription } = graphql.weigh(payload);
    const operation = measure(caller, { traceId, isSubscription });
    const refused = (statusCode: number, errors: Parameters<typeof printed>[0]): GraphQLError[] => {
      operation.answered(statusCode);
      operation.over();
      return printed(errors);
    };
    try {
      await count(caller, cost);
      const streamed = await graphql.stream({ body: payload, caller, traceId, idempotencyKey: undefined });
      if ('errors' in streamed) return refused(400, streamed.errors);
      if (isSubscription) operation.answered(200);
      return whenOver(streamed.results, operation.over);
    } catch (error) {
      const { statusCode, body } = graphql.refuse(error, traceId);
      const { errors } = JSON.parse(body) as { errors: GraphQLError[] };
      return refused(statusCode, errors);
    }
  }

  const protocol = makeServer<Record<string, unknown>, Connection>({
    onConnect: connect,
    async onSubscribe({ extra }, _id, payload) {
      if (!extra.caller) throw new Error('an operation came before its connection was known');
      const begun = await begin(extra.caller, payload, traceIdOf(undefined));
      if (Array.isArray(begun)) return begun;
      return { schema: undefined as never, document: anySubscription, rootValue: begun };
    },
    subscribe: ({ rootValue }) => rootValue as GraphqlResults,
    // As it is: graphql-ws would look for errors of its own kind.
    onNext: (_context, _id, _payload, _args, result) => result as never,
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
  server.on('wsClientError', createRefusals(logger).handshake);

  function open(webSocket: WebSocket, request: Request): void {
    const socket = keepSocket(webSocket, (error) => {
      logger.error({ error }, 'a WebSocket failed');
    });
    sockets.add(socket);
    const closed = protocol.opened(socket, { request, socket });
    webSocket.once('close', (code, reason) => {
      sockets.delete(socket);
      void closed(code, String(reason));
    });
  }

  return {
    take(request, socket, head) {
      const [path] = (request.url ?? '').split('?', 1);
      if (path !== '/graphql' || request.headers.upgrade?.toLowerCase() !== 'websocket') return false;
      server.handleUpgrade(request, socket, head, (webSocket) => {
        open(webSocket, request);
      });
      return true;
    },
    stop() {
      for (const socket of sockets) closer(socket)(undefined);
    },
  };
}
