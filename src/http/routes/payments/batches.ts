import type { Request, Response } from 'express';
import type { BatchService } from '../../../core/batches/batches.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';
import { idempotencyKeyOf, markReplay } from './payments.ts';

export const batchRoutes = (batches: BatchService) => ({
  create: async (request: Request, response: Response): Promise<void> => {
    const created = await batches.create(callerOf(request), request.body, idempotencyKeyOf(request));
    markReplay(response, created);
    response.setHeader('Location', `/v1/payment-batches/${created.view.id}`);
    sendJson(response, 202, created.view);
  },

  get: async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    sendJson(response, 200, await batches.get(callerOf(request), request.params.id));
  },
});
