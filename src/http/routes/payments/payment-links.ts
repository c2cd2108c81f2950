import type { Request, Response } from 'express';
import type { PaymentLinkService } from '../../../services/payment-links/payment-links.ts';
import { callerOf } from '../../request-context.ts';
import { sendJson } from '../../send-json.ts';

type WithId = Request<{ id: string }>;

export const paymentLinkRoutes = (paymentLinks: PaymentLinkService) => ({
  create: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 201, await paymentLinks.create(callerOf(request), request.body));
  },

  list: async (request: Request, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentLinks.list(callerOf(request), request.query));
  },

  get: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentLinks.get(callerOf(request), request.params.id));
  },

  payments: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    sendJson(response, 200, await paymentLinks.payments(callerOf(request), id, request.query));
  },

  deactivate: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await paymentLinks.deactivate(callerOf(request), request.params.id));
  },
});
