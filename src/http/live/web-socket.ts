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
/** No more is read of a socket while messages of this size wait for their turn. */
const maximumWaitingBytes = 65_536;

interface Guards {
  /** Resolves when the next message may be handled; false once none may. */
  takeTurn: () => Promise<boolean>;
  onFailure: (error: unknown) => void;
}

/** Wraps a WebSocket with keep-alive checks and limits on data that waits, in both directions. */
export function guardSocket(socket: WebSocket, { takeTurn, onFailure }: Guards): GuardedSocket {
  let hasAnswered = true;
  const pinging = setInterval(() => {
    // What is not read may be a pong.
    if (!hasAnswered && !socket.isPaused) socket.terminate();
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

  const isClosed = (): boolean => socket.readyState >= socket.CLOSING;

  return {
    protocol: socket.protocol,
    close,
    isClosed,
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
      const waiting: Buffer[] = [];
      let waitingBytes = 0;

      async function handleInTurn(): Promise<void> {
        for (let data = waiting[0]; data; data = waiting[0]) {
          if (!(await takeTurn()) || isClosed()) return;
          waiting.shift();
          waitingBytes -= data.length;
          if (socket.isPaused && waitingBytes <= maximumWaitingBytes) socket.resume();
          handleOne(data);
        }
      }

      function handleOne(data: Buffer): void {
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
      }

      socket.on('message', (data: Buffer) => {
        waitingBytes += data.length;
        if (waitingBytes > maximumWaitingBytes) socket.pause();
        if (waiting.push(data) === 1) void handleInTurn();
      });
    },
  };
}
