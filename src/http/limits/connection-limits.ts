import type { Socket } from 'node:net';
import { clientNetwork } from '../../domain/security/client-network.ts';
import { ServiceError, Unavailable } from '../../domain/errors.ts';
import { createTally } from '../../domain/tally.ts';

export interface ConnectionLimits {
  perNode: number;
  perAddress: number;
  /** Whose connections are those of many clients: a proxy that is trusted. */
  isProxy(address: string): boolean;
}

/** How long a connection too many may take to send the request that says so to its client. */
const patienceMs = 2_000;

/**
 * Bounds the connections of a node and of each address. One too many is refused with the answer to its first
 * request: what came before a request no client would read.
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
      `At most ${perAddress} connections of one address may be open at once`,
      { retryAfterSeconds: 1 },
    );
  }

  return {
    /** Beyond it the system refuses them: only so many wait for their refusal. */
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

    /** Why its requests are not taken, if they are not. */
    refusalOf: (socket: Socket): ServiceError | undefined => refusals.get(socket),
  };
}
