import type { Request, Response } from 'express';
import type { RefundService } from '../../../core/refunds/refunds.ts';
import type { RefundLists } from '../../../core/refunds/refund-lists.ts';
import { listAllRefundsSchema } from '../../../core/refunds/views/refund-list-input.ts';
import { listRefundsSchema } from '../../../core/refunds/views/refund-view.ts';
import { listQuery } from './list-query.ts';
import { idempotencyKeyOf, markReplay } from './payments.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';

export const refundRoutes = (refunds: RefundService, refundLists: RefundLists) => ({
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

  listAll: async (request: Request, response: Response): Promise<void> => {
    const query = listQuery(request, listAllRefundsSchema);
    sendJson(response, 200, await refundLists.list(callerOf(request), query));
  },
});
