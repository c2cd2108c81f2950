import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../../core/base/errors.ts';
import type { Action } from '../../../core/base/roles.ts';
import { assertMay } from '../../../core/base/caller.ts';
import { parseIdempotencyKey, type Replayable } from '../../../core/idempotency/idempotency.ts';
import { createdPaymentView } from '../../../core/payments/views/payment-view.ts';
import type { ResponseLimiter } from '../../../core/base/pacing/response-limiter.ts';
import { listPaymentsSchema } from '../../../core/payments/views/list-payments-input.ts';
import { listQuery } from './list-query.ts';
import type { PaymentService } from '../../../core/payments/payments.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';

type WithId = Request<{ id: string }>;

export function idempotencyKeyOf(request: Request<object>): string | undefined {
  const headers = request.headersDistinct['idempotency-key'];
  if (headers && headers.length > 1)
    throw new ServiceError('invalid_idempotency_key', 'Idempotency-Key must be given once');
  return headers?.[0] === undefined ? undefined : parseIdempotencyKey(headers[0]);
}

/** Checked before the body is read, so that a key without permission gets no feedback on it. */
export const permitted =
  (action: Action): RequestHandler =>
  (request, _response, next) => {
    assertMay(callerOf(request), action);
    next();
  };

export function markReplay(response: Response, { replayed }: Replayable<object>): void {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
}

export const paymentRoutes = (payments: PaymentService, responses: ResponseLimiter) => ({
  create: async (request: Request, response: Response): Promise<void> => {
    const created = await payments.create(callerOf(request), request.body, idempotencyKeyOf(request));
    markReplay(response, created);
    response.setHeader('Location', `/v1/payments/${created.view.id}`);
    sendJson(response, 201, createdPaymentView(created.view));
  },

  get: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await payments.get(callerOf(request), request.params.id));
  },

  list: async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(request);
    await responses.make(caller, async (reader) => {
      const page = await reader.read(
        'limit',
        () => payments.list(caller, listQuery(request, listPaymentsSchema)),
        ({ data }) => data,
      );
      sendJson(response, 200, page);
    });
  },

  update: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const key = idempotencyKeyOf(request);
    const updated = await payments.update(callerOf(request), id, request.body, key);
    markReplay(response, updated);
    sendJson(response, 200, updated.view);
  },

  retry: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const key = idempotencyKeyOf(request);
    const retried = await payments.retry(callerOf(request), id, request.body, key);
    markReplay(response, retried);
    sendJson(response, 200, retried.view);
  },

  cancel: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const cancelled = await payments.cancel(callerOf(request), id, idempotencyKeyOf(request));
    markReplay(response, cancelled);
    sendJson(response, 200, cancelled.view);
  },
});
