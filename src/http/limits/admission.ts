import type { RequestHandler } from 'express';
import { clientNetwork } from '../../core/base/client-network.ts';
import { createFairSteps } from '../../core/base/pacing/fair-steps.ts';

/**
 * Node accepts one connection per turn of its event loop, so starting a hundred requests in one turn would keep connecting
 * clients waiting for seconds.
 */
const requestsPerTurn = 8;

/** Starts a few requests per turn of the event loop, round-robin over the clients, and none of a client that is gone. */
export function admitInTurns(): RequestHandler {
  const takeStep = createFairSteps(requestsPerTurn);
  return (request, _response, next) => {
    const turn = takeStep(clientNetwork(request.ip), () => request.socket.destroyed);
    if (turn) void turn.then(next);
    else next();
  };
}
