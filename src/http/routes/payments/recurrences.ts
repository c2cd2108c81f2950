import type { Request, Response } from 'express';
import type { RecurrenceService } from '../../../core/recurrences/recurrences.ts';
import type { SandboxRecurrenceService } from '../../../core/recurrences/sandbox-recurrences.ts';
import { listDebitsSchema, listRecurrencesSchema } from '../../../core/recurrences/views/recurrence-input.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';
import { listQuery } from './list-query.ts';
import { idempotencyKeyOf, markReplay } from './payments.ts';

type WithId = Request<{ id: string }>;

export const recurrenceRoutes = (recurrences: RecurrenceService, sandbox: SandboxRecurrenceService) => ({
  create: async (request: Request, response: Response): Promise<void> => {
    const created = await recurrences.create(callerOf(request), request.body, idempotencyKeyOf(request));
    markReplay(response, created);
    response.setHeader('Location', `/v1/recurrences/${created.view.id}`);
    sendJson(response, 201, created.view);
  },

  list: async (request: Request, response: Response): Promise<void> => {
    const query = listQuery(request, listRecurrencesSchema);
    sendJson(response, 200, await recurrences.list(callerOf(request), query));
  },

  get: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await recurrences.get(callerOf(request), request.params.id));
  },

  cancel: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const cancelled = await recurrences.cancel(callerOf(request), id, idempotencyKeyOf(request));
    markReplay(response, cancelled);
    sendJson(response, 200, cancelled.view);
  },

  charge: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const charged = await recurrences.charge(callerOf(request), id, request.body, idempotencyKeyOf(request));
    markReplay(response, charged);
    response.setHeader('Location', `/v1/payments/${charged.view.id}`);
    sendJson(response, 201, charged.view);
  },

  payments: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const query = listQuery(request, listDebitsSchema);
    sendJson(response, 200, await recurrences.payments(callerOf(request), id, query));
  },

  approve: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.approve(callerOf(request), request.params.id));
  },

  reject: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.reject(callerOf(request), request.params.id));
  },

  revoke: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await sandbox.revoke(callerOf(request), request.params.id));
  },
});
