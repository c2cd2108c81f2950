import type { Socket } from 'node:net';

/**
 * The most pieces that Node may hand over in one turn of its event loop, each of which takes some two microseconds. A busy node reads
 * up to 2 MB of a connection in a turn, which are fewer pieces in chunks of 128 bytes or more.
 */
const maximumPieces = 16_384;

/** Chunks of a few bytes are those of no body that a client sends; a thousand of them in a turn are refused. */
const shortBytes = 32;
const piecesPerShort = 16;

/** How many pieces a request counts as, without its body. */
const piecesPerRequest = 256;

/** Calls `refuse` for a connection that sends more than its share in a turn, which would hold up all others. */
export function limitFloods(refuse: (socket: Socket) => void) {
  const pieces = new Map<Socket, number>();
  const isFlooding = (socket: Socket): boolean => (pieces.get(socket) ?? 0) > maximumPieces;

  function count(socket: Socket, more: number): boolean {
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

  return {
    isFlooding,

    mayBegin: (socket: Socket): boolean => count(socket, piecesPerRequest),

    mayRead: (socket: Socket, { length }: Uint8Array): boolean =>
      count(socket, length < shortBytes ? piecesPerShort : 1),
  };
}
