import type { Request, Response } from 'express';
import type { RefundService } from '../../../services/refunds/refunds.ts';
import { listRefundsSchema } from '../../../services/refunds/refund-view.ts';
import { listQuery } from '../list-query.ts';
import { idempotencyKeyOf, markReplay } from './payments.ts';
import { callerOf } from '../../request-context.ts';
import { sendJson } from '../../send-json.ts';

export const refundRoutes = (refunds: RefundService) => ({
  create: async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    const { id } = request.params;
    const refund = await refunds.create(callerOf(request), id, request.body, idempotencyKeyOf(request));
    markReplay(response, refund);
    sendJson(response, 201, refund.view);
  },

  list: async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    const query = listQuery(request, listRefundsSchema);
    sendJson(response, 200, await refunds.list(callerOf(request), request.params.id, query));
  },
});
