import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { badRequest, ServiceError } from '../domain/errors.ts';
import { traceIdOf } from '../observability/trace.ts';
import { errorBody } from '../services/error-body.ts';

export interface Listener {
  port: number;
  /** Takes no new connection, lets requests in flight finish, then resolves; cuts what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** How long a connection without a request is kept once stopping: a request may be on its way on it. */
const idleGraceMs = 500;

const protocolErrors: Record<string, () => ServiceError> = {
  HPE_HEADER_OVERFLOW: () =>
    new ServiceError(
      'request_header_fields_too_large',
      'the request line and headers must be at most 16 KiB',
    ),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ServiceError('request_timeout', 'the request took too long to arrive'),
};

/** What never reaches the router is answered in the same shape. */
function refuseBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = protocolErrors[error.code ?? '']?.() ?? badRequest('the request is not valid HTTP');
  const traceId = traceIdOf(undefined);
  const body = errorBody(known, traceId, new Date());
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${body.statusCode} ${body.error}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Trace-Id: ${traceId}\r\nConnection: close\r\n\r\n${text}`,
  );
}

export async function listen(handler: RequestListener, host: string, port: number): Promise<Listener> {
  let isStopping = false;
  const server: Server = createServer((request, response) => {
    if (isStopping) response.setHeader('Connection', 'close');
    handler(request, response);
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = 15_000;
  // Longer than the idle timeout of common load balancers, so that it is they who close.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', refuseBrokenHttp);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,

    async stop(graceMs) {
      isStopping = true;
      // http's own close() would cut idle connections at once, and with them a request on its way.
      const closed = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(server, () => {
          resolve();
        }),
      );
      const sweep = setInterval(() => {
        server.closeIdleConnections();
      }, idleGraceMs);
      const cut = setTimeout(() => {
        server.closeAllConnections();
      }, graceMs);
      await closed;
      for (const timer of [sweep, cut]) clearTimeout(timer);
    },
  };
}
