import type { Socket } from 'node:net';

/**
 * What Node makes a call for, however short it is, in one turn of its event loop. No client sends a body of 64 KiB in more
 * chunks.
 */
const mostPieces = 1_024;

/** Hardly any client sends a request before the last is answered. */
export const mostRequests = 32;

/** What a request counts as, beside its body. */
export const piecesPerRequest = 16;

/**
 * Node reads up to 2 MB of a connection at a time, half a second of chunks of one byte. `refuse`: of a connection that has
 * more than its share.
 */
export function limitFloods(refuse: (socket: Socket) => void) {
  const pieces = new Map<Socket, number>();

  return (socket: Socket, more = 1): boolean => {
    if (pieces.size === 0) {
      setImmediate(() => {
        pieces.clear();
      });
    }
    const total = (pieces.get(socket) ?? 0) + more;
    pieces.set(socket, total);
    if (total <= mostPieces) return true;
    refuse(socket);
    return false;
  };
}
