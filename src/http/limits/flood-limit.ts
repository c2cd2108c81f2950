import type { Socket } from 'node:net';

/**
 * The most pieces, however short, that Node may hand over in one turn of its event loop. No client sends a body of 64 KiB in
 * more chunks.
 */
const maximumPieces = 1_024;

/** Hardly any client sends a request before the last one is answered. */
export const maximumRequests = 32;

/** How many pieces a request counts as, not counting its body. */
export const piecesPerRequest = 16;

/**
 * Node reads up to 2 MB of a connection at a time; as chunks of one byte, that takes half a second. Calls `refuse` for a
 * connection that sends more than its share.
 */
export function limitFloods(refuse: (socket: Socket) => void) {
  const pieces = new Map<Socket, number>();
  const isFlooding = (socket: Socket): boolean => (pieces.get(socket) ?? 0) > maximumPieces;

  function mayGoOn(socket: Socket, more = 1): boolean {
    if (pieces.size === 0) {
      setImmediate(() => {
        pieces.clear();
      });
    }
    pieces.set(socket, (pieces.get(socket) ?? 0) + more);
    if (!isFlooding(socket)) return true;
    refuse(socket);
    return false;
  }

  return { mayGoOn, isFlooding };
}
