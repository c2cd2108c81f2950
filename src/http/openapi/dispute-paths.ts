import { listDisputesSchema } from '../../core/disputes/views/dispute-input.ts';
import { evidenceQuerySchema } from '../../core/reports/dispute-evidence.ts';
import * as examples from './examples.ts';
import { idempotencyParameter, idParameter as paymentIdParameter, jsonBody } from './payment-paths.ts';
import { failures, success } from './responses.ts';
import { queryParameters } from './schemas.ts';

const idParameter = { ...paymentIdParameter, description: 'Id of the dispute.' };

const documentIdParameter = { ...paymentIdParameter, name: 'documentId', description: 'Id of the document.' };

const tags = ['Disputes'];

export const disputePaths = {
  '/v1/disputes': {
    get: {
      operationId: 'listDisputes',
      summary: 'List disputes',
      description:
        'What payers contest: with `open=true` the earliest deadline first, otherwise newest first.',
      tags,
      parameters: queryParameters(listDisputesSchema),
      responses: {
        200: success('A page of disputes.', 'DisputePage', examples.disputePage),
        ...failures(400, 403),
      },
    },
  },
  '/v1/disputes/{id}': {
    get: {
      operationId: 'getDispute',
      summary: 'Retrieve a dispute and how it can be answered',
      description: 'With its deadline, what may be answered, and what was.',
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The dispute.', 'DisputeDetail', examples.disputeDetail),
        ...failures(403, 404),
      },
    },
  },
  '/v1/disputes/{id}/defence': {
    post: {
      operationId: 'defendDispute',
      summary: 'Defend against a dispute',
      description:
        'Sends the statement and the documents to the provider. Needs the permission `payments:refund`.',
      tags,
      parameters: [idParameter, idempotencyParameter],
      requestBody: jsonBody('DefendDispute', examples.defendDispute),
      responses: {
        200: success('The dispute.', 'DisputeDetail', examples.defendedDispute, ['Idempotency-Replayed']),
        ...failures(400, 403, 404, 409, 413, 415, 422),
      },
    },
  },
  '/v1/disputes/{id}/accept': {
    post: {
      operationId: 'acceptDispute',
      summary: 'Accept a dispute, which gives the money back',
      description: 'Counts against the limits of refunds, and needs the permission `payments:refund`.',
      tags,
      parameters: [idParameter, idempotencyParameter],
      responses: {
        200: success('The dispute.', 'DisputeDetail', examples.acceptedDispute, ['Idempotency-Replayed']),
        ...failures(400, 403, 404, 409, 422),
      },
    },
  },
  '/v1/disputes/{id}/evidence': {
    get: {
      operationId: 'getDisputeEvidence',
      summary: 'Gather what is known of a disputed payment',
      description:
        'From the records of the service alone, documents masked. With `Accept: application/pdf` as a PDF.',
      tags,
      parameters: [idParameter, ...queryParameters(evidenceQuerySchema)],
      responses: {
        200: success('The evidence.', 'DisputeEvidence', examples.disputeEvidence),
        ...failures(400, 403, 404),
      },
    },
  },
  '/v1/disputes/{id}/documents/{documentId}': {
    get: {
      operationId: 'getDisputeDocument',
      summary: 'Retrieve a document of a defence',
      description: 'With its content in base64. It is gone 90 days after the end of the dispute.',
      tags,
      parameters: [idParameter, documentIdParameter],
      responses: {
        200: success('The document with its content.', 'DisputeDocument', examples.disputeDocument),
        ...failures(403, 404),
      },
    },
  },
} as const;
