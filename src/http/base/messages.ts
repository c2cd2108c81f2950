import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';

/** The one upgrade of this service: a WebSocket at `/graphql`. */
const isWebSocket = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && url?.split('?', 1)[0] === '/graphql' && headers.upgrade?.toLowerCase() === 'websocket';

/** What is wrong with a request that Node accepts and HTTP forbids. */
export function faultOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return 'the request must have one Host header';
  const { 'transfer-encoding': coding = 'chunked' } = headers;
  return coding.toLowerCase() === 'chunked' ? undefined : 'Transfer-Encoding must be chunked';
}

/** What the parser has read already it reads to its end; anything further is an error of the client. */
export function pauseParser(socket: Socket & { parser?: { pause(): void } | null }): void {
  socket.parser?.pause();
}

/**
 * Express sets the prototype of each request and response, which costs as much as a small request. Creating
 * them with it avoids that. `mayGoOn` is asked for each piece of a body.
 */
export function messageClassesOf(app: Express, mayGoOn: (socket: Socket) => boolean) {
  class AppRequest extends IncomingMessage {
    // Not initialized: the constructor of Node sets `upgrade`.
    declare offersUpgrade: boolean;

    /**
     * Where Node, until `shouldUpgradeCallback` of its versions 22.21 and 24.9, looks whether to upgrade. A server may ignore
     * an offer, as Java's HttpClient makes with each request (`h2c`), and Node then reads the request as any other.
     */
    get upgrade(): boolean {
      return this.offersUpgrade && (this.method === 'CONNECT' || (isWebSocket(this) && !faultOf(this)));
    }
    set upgrade(offered: boolean) {
      this.offersUpgrade = offered;
    }

    override push(piece: unknown): boolean {
      return mayGoOn(this.socket) && super.push(piece);
    }

    /** Node's own no longer calls `push` for what nobody reads. */
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
