import type { Request, Response } from 'express';
import type { PaymentLinkService } from '../../../core/checkout/payment-links.ts';
import { callerOf } from '../../base/request-context.ts';
import { listLinkPaymentsSchema, listLinksSchema } from '../../../core/checkout/payment-link-view.ts';
import { sendJson } from '../../base/send-json.ts';
import { listQuery } from './list-query.ts';

type WithId = Request<{ id: string }>;

export const paymentLinkRoutes = (paymentLinks: PaymentLinkService) => ({
  create: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 201, await paymentLinks.create(callerOf(request), request.body));
  },

  list: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentLinks.list(callerOf(request), listQuery(request, listLinksSchema)));
  },

  get: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentLinks.get(callerOf(request), request.params.id));
  },

  payments: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const query = listQuery(request, listLinkPaymentsSchema);
    sendJson(response, 200, await paymentLinks.payments(callerOf(request), id, query));
  },

  deactivate: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentLinks.deactivate(callerOf(request), request.params.id));
  },
});
