import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pauseParser } from '../base/messages.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Hardly any client sends a request before the last one is answered. */
const maximumWaiting = 31;

/** Does the requests of a connection one after the other, so that each that was begun is answered, whatever ends the connection. */
export class Connection {
  readonly #socket: Socket;
  readonly #respond: Respond;
  /** Its response is on its way. */
  #current: Exchange | undefined;
  /** What arrived last, perhaps without the end of its body yet. */
  #latest: Exchange | undefined;
  readonly #waiting: Exchange[] = [];
  /** What is still to come is not done, and the last response closes the connection. */
  #isEnding = false;
  #isStopAnnounced = false;

  constructor(socket: Socket, respond: Respond) {
    this.#socket = socket;
    this.#respond = respond;
  }

  /** False when more requests wait than a client sends. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isEnding) return true;
    const exchange = { request, response };
    if (this.#current && this.#waiting.length === maximumWaiting) return false;
    this.#latest = exchange;
    if (this.#current) this.#waiting.push(exchange);
    else this.#begin(exchange);
    return true;
  }

  /** Does nothing further of the connection. A refusal must not stand in the place of the response to another request. */
  end(refuse: () => void): void {
    // The rest of a request, or else what was to be the next one.
    const refused = this.#latest?.request.complete === false ? this.#latest : undefined;
    const isItsPlace = this.#current === refused && !refused?.response.headersSent;
    if (isItsPlace || !this.#socket.writable) {
      refuse();
      return;
    }
    pauseParser(this.#socket);
    if (this.#isEnding) return;
    this.#isEnding = true;
    // Node itself no longer does so once it takes a flood for an upgrade.
    this.#socket.once('timeout', () => this.#socket.destroy());
    if (!this.#current) {
      this.#socket.destroySoon();
      return;
    }
    if (this.#waiting.at(-1) === refused) this.#waiting.pop();
    this.#closeWithLast();
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
      if (this.#latest === exchange && request.complete) this.#latest = undefined;
      if (this.#isOver(response)) {
        this.#isEnding = true;
        this.#waiting.length = 0;
      }
      const next = this.#waiting.shift();
      if (next) this.#begin(next);
      else if (this.#isEnding) this.#socket.destroySoon();
    });
    this.#isEnding ||= this.#isStopAnnounced;
    this.#closeWithLast();
    this.#respond(request, response);
  }

  /** Whether nobody reads a further response: the client has ended its side, or was told that this one is the last. */
  #isOver(response: ServerResponse): boolean {
    const { readable, writable } = this.#socket;
    return !readable || !writable || response.getHeader('Connection') === 'close';
  }

  #closeWithLast(): void {
    if (!this.#isEnding || this.#waiting.length > 0 || !this.#current) return;
    const { response } = this.#current;
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}
