import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pauseParser } from '../base/messages.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface ConnectionOptions {
  respond(request: IncomingMessage, response: ServerResponse): void;
  /** How long a connection that ends may take to answer what was begun. */
  endMs: number;
}

/** Hardly any client sends a request before the last one is answered. */
const maximumWaiting = 31;

/** Does the requests of a connection one after the other, so that each that was begun is answered, whatever ends the connection. */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  /** Its response is on its way. */
  #current: Exchange | undefined;
  readonly #waiting: Exchange[] = [];
  /** What is still to come is not done, and the last response closes the connection. */
  #isEnding = false;
  #isStopAnnounced = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** False when more requests wait than a client sends. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isEnding) return true;
    if (!this.#current) this.#begin({ request, response });
    else if (this.#waiting.length < maximumWaiting) this.#waiting.push({ request, response });
    else return false;
    return true;
  }

  /** Does nothing further of the connection. A refusal must not stand in the place of a response to what was begun. */
  end(refuse: () => void): void {
    if (!this.#current?.request.complete || !this.#socket.writable) {
      refuse();
      return;
    }
    pauseParser(this.#socket);
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#waiting.at(-1)?.request.complete === false) this.#waiting.pop();
    this.#closeWithLast();
    setTimeout(() => this.#socket.destroy(), this.#options.endMs).unref();
  }

  /** Closes with the next response that has no head yet. A client that reuses a connection about to close would lose its request. */
  announceStop(): void {
    this.#isStopAnnounced = true;
    if (!this.#current || this.#current.response.headersSent) return;
    this.#isEnding = true;
    this.#closeWithLast();
  }

  #begin(exchange: Exchange): void {
    this.#current = exchange;
    const { request, response } = exchange;
    response.once('close', () => {
      this.#current = undefined;
      // Node does so too, but not when somebody took the connection over.
      if (!response.writableFinished) request.destroy();
      const next = this.#socket.writable ? this.#waiting.shift() : undefined;
      if (next) this.#begin(next);
      else if (this.#isEnding) this.#socket.destroySoon();
    });
    this.#isEnding ||= this.#isStopAnnounced;
    this.#closeWithLast();
    this.#options.respond(request, response);
  }

  #closeWithLast(): void {
    if (!this.#isEnding || this.#waiting.length > 0 || !this.#current) return;
    const { response } = this.#current;
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}
