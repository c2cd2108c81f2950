import type { Request, Response } from 'express';
import type { SandboxService } from '../../../core/payments/sandbox.ts';
import type { TestClockService } from '../../../core/settlement/reconciliation/advance-clock.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';

type WithId = Request<{ id: string }>;

export const sandboxRoutes = (sandbox: SandboxService, clock: TestClockService) => ({
  readClock: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 200, await clock.get(callerOf(request)));
  },

  advanceClock: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 200, await clock.advance(callerOf(request), request.body));
  },

  resetClock: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 200, await clock.remove(callerOf(request)));
  },

  pay: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.pay(callerOf(request), request.params.id, request.body));
  },

  reverse: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.reverse(callerOf(request), request.params.id, request.body));
  },

  dispute: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.dispute(callerOf(request), request.params.id, request.body));
  },

  closeDispute: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.closeDispute(callerOf(request), request.params.id, request.body));
  },

  answerDebit: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.answerDebit(callerOf(request), request.params.id, request.body));
  },

  receive: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 201, await sandbox.receive(callerOf(request), request.body));
  },

  expire: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.expire(callerOf(request), request.params.id));
  },
});
