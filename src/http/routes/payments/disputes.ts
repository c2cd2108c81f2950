import type { Request, Response } from 'express';
import type { DisputeService } from '../../../core/disputes/disputes.ts';
import { listDisputesSchema } from '../../../core/disputes/views/dispute-input.ts';
import type { DisputeEvidence } from '../../../core/reports/dispute-evidence.ts';
import { callerOf } from '../../base/request-context.ts';
import { sendJson } from '../../base/send-json.ts';
import { listQuery } from './list-query.ts';
import { idempotencyKeyOf, markReplay } from './payments.ts';

type WithId = Request<{ id: string }>;

export const disputeRoutes = (disputes: DisputeService, evidence: DisputeEvidence) => ({
  list: async (request: Request, response: Response): Promise<void> => {
    const query = listQuery(request, listDisputesSchema);
    sendJson(response, 200, await disputes.list(callerOf(request), query));
  },

  get: async (request: WithId, response: Response): Promise<void> => {
    sendJson(response, 200, await disputes.get(callerOf(request), request.params.id));
  },

  document: async (
    request: Request<{ id: string; documentId: string }>,
    response: Response,
  ): Promise<void> => {
    const { id, documentId } = request.params;
    sendJson(response, 200, await disputes.document(callerOf(request), id, documentId));
  },

  evidence: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    if (request.accepts(['application/json', 'application/pdf']) !== 'application/pdf') {
      sendJson(response, 200, await evidence.facts(callerOf(request), id));
      return;
    }
    const pdf = await evidence.pdf(callerOf(request), id, request.query);
    response.writeHead(200, {
      'Content-Type': 'application/pdf',
      'Content-Length': pdf.length,
      'Content-Disposition': `attachment; filename="dispute-${id.toLowerCase()}.pdf"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(pdf);
  },

  defend: async (request: WithId, response: Response): Promise<void> => {
    const { id } = request.params;
    const key = idempotencyKeyOf(request);
    const defended = await disputes.defend(callerOf(request), id, request.body, key);
    markReplay(response, defended);
    sendJson(response, 200, defended.view);
  },

  accept: async (request: WithId, response: Response): Promise<void> => {
    const accepted = await disputes.accept(callerOf(request), request.params.id, idempotencyKeyOf(request));
    markReplay(response, accepted);
    sendJson(response, 200, accepted.view);
  },
});
