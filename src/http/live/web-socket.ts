import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { markInexact } from '../../core/base/json/exact-json.ts';
import { toReportedError } from '../../transport/errors.ts';

/** The part of a socket that graphql-ws needs. */
export interface GuardedSocket extends ProtocolSocket {
  close(code: number, reason: string): void;
  isClosed(): boolean;
}

const pingEveryMs = 12_000;
const closeGraceMs = 1_000;
/** Clients that do not read their results are disconnected. */
const maximumBufferedBytes = 1_048_576;

/** Wraps a WebSocket with keep-alive checks and a limit on buffered data. */
export function guardSocket(socket: WebSocket, onFailure: (error: unknown) => void): GuardedSocket {
  let hasAnswered = true;
  const pinging = setInterval(() => {
    if (!hasAnswered) socket.terminate();
    hasAnswered = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, pingEveryMs);

  function close(code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    // The protocol limits the reason to 123 bytes.
    socket.close(code, Buffer.from(reason).subarray(0, 123).toString());
    setTimeout(() => {
      socket.terminate();
    }, closeGraceMs).unref();
  }

  socket.on('pong', () => {
    hasAnswered = true;
  });
  // Clients' aborts and protocol violations need no handling; ws closes the socket.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(pinging);
  });

  return {
    protocol: socket.protocol,
    close,
    isClosed: () => socket.readyState >= socket.CLOSING,
    send(text) {
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      if (socket.bufferedAmount > maximumBufferedBytes) socket.terminate();
      return new Promise((resolve) => {
        socket.send(text, () => {
          resolve();
        });
      });
    },
    onMessage(handle) {
      socket.on('message', (data: Buffer) => {
        let text: string;
        try {
          text = markInexact(data.toString());
        } catch (error) {
          close(CloseCode.BadRequest, toReportedError(error)?.message ?? 'Invalid message received');
          return;
        }
        handle(text).catch((error: unknown) => {
          onFailure(error);
          close(CloseCode.InternalServerError, 'An unexpected error occurred');
        });
      });
    },
  };
}
