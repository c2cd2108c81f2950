import type { Socket } from 'node:net';
import { clientNetwork } from '../../core/base/client-network.ts';
import { ServiceError, Unavailable } from '../../core/base/errors.ts';
import { createTally } from '../../core/base/pacing/tally.ts';

export interface ConnectionLimits {
  perNode: number;
  perAddress: number;
  /** A trusted proxy carries the connections of many clients. */
  isProxy(address: string): boolean;
}

/** How long an excess connection may take to send a request, which is then refused. */
const patienceMs = 2_000;

/**
 * Limits connections per node and address. An excess connection is refused in response to its first request, because clients
 * ignore anything sent before that.
 */
export function limitConnections({ perNode, perAddress, isProxy }: ConnectionLimits) {
  const refusals = new WeakMap<Socket, ServiceError>();
  const addresses = createTally();
  let open = 0;

  function refusalOf(name: string | undefined): ServiceError | undefined {
    if (open >= perNode) return new Unavailable('full').asServiceError();
    if (name === undefined || addresses.of(name) < perAddress) return undefined;
    return new ServiceError(
      'too_many_connections',
      `At most ${perAddress} connections from one address may be open at once`,
      { retryAfterSeconds: 1 },
    );
  }

  return {
    /** Above this the operating system refuses connections, which limits how many wait to be refused. */
    most: perNode + Math.ceil(perNode / 8),

    add(socket: Socket): void {
      const { remoteAddress = '' } = socket;
      const name = isProxy(remoteAddress) ? undefined : clientNetwork(remoteAddress);
      const refusal = refusalOf(name);
      if (refusal) {
        refusals.set(socket, refusal);
        const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
        socket.once('close', () => {
          clearTimeout(timer);
        });
        return;
      }
      open += 1;
      const leave = name === undefined ? undefined : addresses.add(name);
      socket.once('close', () => {
        open -= 1;
        leave?.();
      });
    },

    /** Why requests on this connection are refused; undefined when they are not. */
    refusalOf: (socket: Socket): ServiceError | undefined => refusals.get(socket),
  };
}
