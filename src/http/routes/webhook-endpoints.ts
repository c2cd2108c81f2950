import type { Request, Response } from 'express';
import { endpointTestView } from '../../core/webhooks/views/webhook-endpoint-view.ts';
import type { WebhookEndpointService } from '../../core/webhooks/webhook-endpoints.ts';
import { callerOf } from '../base/request-context.ts';
import { sendJson } from '../base/send-json.ts';

type WithId = Request<{ id: string }>;

export const webhookEndpointRoutes = (endpoints: WebhookEndpointService) => {
  const setEnabled =
    (enabled: boolean) =>
    async (request: WithId, response: Response): Promise<void> => {
      sendJson(response, 200, await endpoints.setEnabled(callerOf(request), request.params.id, enabled));
    };

  return {
    create: async (request: Request, response: Response): Promise<void> => {
      sendJson(response, 201, await endpoints.create(callerOf(request), request.body));
    },

    list: async (request: Request, response: Response): Promise<void> => {
      sendJson(response, 200, { data: await endpoints.list(callerOf(request)) });
    },

    get: async (request: WithId, response: Response): Promise<void> => {
      sendJson(response, 200, await endpoints.get(callerOf(request), request.params.id));
    },

    update: async (request: WithId, response: Response): Promise<void> => {
      const { id } = request.params;
      sendJson(response, 200, await endpoints.change(callerOf(request), id, request.body));
    },

    enable: setEnabled(true),

    disable: setEnabled(false),

    rotateSecret: async (request: WithId, response: Response): Promise<void> => {
      sendJson(response, 200, await endpoints.rotate(callerOf(request), request.params.id));
    },

    test: async (request: WithId, response: Response): Promise<void> => {
      const attempt = await endpoints.test(callerOf(request), request.params.id);
      sendJson(response, 200, endpointTestView(attempt));
    },

    delete: async (request: WithId, response: Response): Promise<void> => {
      const { id } = request.params;
      await endpoints.delete(callerOf(request), id);
      sendJson(response, 200, { id, deleted: true });
    },
  };
};
