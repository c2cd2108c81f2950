import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ReportedError, transportError } from '../../transport/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { traceIdOf } from '../../observability/trace.ts';
import { errorBody } from '../../transport/error-body.ts';
import { errorHeaders } from './error-headers.ts';
import { pauseParser } from './messages.ts';
import { sendJson } from './send-json.ts';

const malformed = (message: string) => transportError('malformed_request', message);

const notHttp = (message = 'the request is not valid HTTP') => malformed(message);

export const headersTooLarge = () =>
  transportError('headers_too_large', 'the request line and headers must be at most 16 KiB');

const tooMuch = 'too many small chunks, or too many requests before the first is answered';

const protocolErrors: Record<string, () => ReportedError> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: () => transportError('request_timeout', 'the request took too long to arrive'),
};

/** How long a refused client may take to read the response, as it need not close its end. */
const lingerMs = 1_000;

/** Responds, in the usual form and with a log line, to requests that never reach the router. */
export function createRefusals(logger: Logger) {
  function refusal(error: ReportedError) {
    const traceId = traceIdOf(undefined);
    const body = errorBody(error, traceId, new Date());
    logger.info({ traceId, status: body.statusCode }, 'request refused');
    return { traceId, body, headers: errorHeaders(error) };
  }

  function refuse(error: ReportedError, socket: Duplex): void {
    const { traceId, body, headers } = refusal(error);
    const text = JSON.stringify(body);
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    // Node attaches no error listener after CONNECT, and a reset would crash the process.
    socket.on('error', () => undefined);
    setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.end(
      `HTTP/1.1 ${body.statusCode} ${body.error}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nX-Trace-Id: ${traceId}\r\n${lines}Connection: close\r\n\r\n${text}`,
    );
  }

  function respond(error: ReportedError, response: ServerResponse): void {
    const { traceId, body, headers } = refusal(error);
    response.setHeader('X-Trace-Id', traceId);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('Connection', 'close');
    sendJson(response, body.statusCode, body);
  }

  return {
    connect(socket: Duplex): void {
      refuse(malformed('this is not a proxy'), socket);
    },

    handshake(_error: Error, socket: Duplex): void {
      refuse(malformed('the WebSocket handshake is not valid'), socket);
    },

    brokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else refuse(protocolErrors[error.code ?? '']?.() ?? notHttp(), socket);
    },

    /** The client has sent more than any does in so little time, so nothing further of it is read. */
    flood(socket: Socket): void {
      pauseParser(socket);
      if (socket.writable) refuse(malformed(tooMuch), socket);
    },

    /** A request that Node accepts although HTTP forbids it. */
    malformed(response: ServerResponse, message?: string): void {
      respond(notHttp(message), response);
    },

    /** A request on an excess connection. */
    excessive(error: ReportedError, response: ServerResponse): void {
      respond(error, response);
    },

    /** A WebSocket refused before its upgrade. */
    upgrade(error: ReportedError, socket: Duplex): void {
      refuse(error, socket);
    },
  };
}
