import type { RequestHandler } from 'express';
import { clientNetwork } from '../../domain/security/client-network.ts';
import { createFairSteps } from '../../services/live/fair-steps.ts';

/**
 * Node accepts one connection in each turn of its event loop: turns that begin the work of a hundred requests would
 * keep whoever connects waiting for seconds.
 */
const requestsPerTurn = 8;

/** Begins a few requests in each turn of the event loop, one client's after another's. */
export function admitInTurns(): RequestHandler {
  const takeStep = createFairSteps(requestsPerTurn);
  return (request, _response, next) => {
    const turn = takeStep(clientNetwork(request.ip));
    if (turn) void turn.then(next);
    else next();
  };
}
