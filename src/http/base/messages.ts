import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';

/** The only upgrade of this service is a WebSocket at `/graphql`. */
const isWebSocket = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && url?.split('?', 1)[0] === '/graphql' && headers.upgrade?.toLowerCase() === 'websocket';

/** What is wrong with a request that Node accepts although HTTP forbids it. */
export function faultOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return 'the request must have one Host header';
  const { 'transfer-encoding': coding = 'chunked' } = headers;
  return coding.toLowerCase() === 'chunked' ? undefined : 'Transfer-Encoding must be chunked';
}

/** The parser finishes what it has read already; anything after that is an error of the client. */
export function pauseParser(socket: Socket & { parser?: { pause(): void } | null }): void {
  socket.parser?.pause();
}

/** Whose connection sends more than any client does. */
interface FloodLimit {
  /** Counts a piece of a body. */
  mayRead(socket: Socket, piece: Uint8Array): boolean;
  isFlooding(socket: Socket): boolean;
}

/**
 * Express sets the prototype of each request and response, which costs as much as a small request. Creating them with the right
 * prototype avoids that. The limit is asked about each piece of a body.
 */
export function messageClassesOf(
  app: Express,
  { mayRead, isFlooding }: FloodLimit,
  { takesUpgrades }: { takesUpgrades: boolean },
) {
  class AppRequest extends IncomingMessage {
    // Must not be initialized, because Node's constructor sets `upgrade`.
    declare offersUpgrade: boolean;
    declare isFlood: boolean;

    /**
     * Until `shouldUpgradeCallback` of Node 22.21 and 24.9, Node looks here to see whether to upgrade. A server may ignore an
     * offer such as the `h2c` that Java's HttpClient makes with each request; Node then reads the request like any other.
     *
     * It parses nothing behind an upgrade, which is the only way to end a flood before all of the 64 KiB that were read.
     */
    get upgrade(): boolean {
      if (this.isFlood) return true;
      if (!this.offersUpgrade) return false;
      return this.method === 'CONNECT' || (takesUpgrades && isWebSocket(this) && !faultOf(this));
    }
    set upgrade(offered: boolean) {
      this.offersUpgrade = offered;
      this.isFlood ||= isFlooding(this.socket);
    }

    override push(piece: Buffer | null): boolean {
      return (piece === null || mayRead(this.socket, piece)) && super.push(piece);
    }

    /** Node's own version no longer calls `push` for a body that nobody reads. */
    _dump(): void {
      this.removeAllListeners('data');
      this.resume();
    }
  }
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as unknown as Request;
  app.response = AppResponse.prototype as unknown as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
