import { listLinkPaymentsSchema, listLinksSchema } from '../../core/checkout/payment-link-view.ts';
import * as examples from './examples.ts';
import { failures, success } from './responses.ts';
import { queryParameters, referenceTo } from './schemas.ts';

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the link.',
  schema: { type: 'string', format: 'uuid' },
};

const tags = ['Payment links'];

export const paymentLinkPaths = {
  '/v1/payment-links': {
    post: {
      operationId: 'createPaymentLink',
      summary: 'Create a link that makes a payment for each payer who opens it',
      description: 'Needs the permission `payments:create`.',
      tags,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: referenceTo('CreatePaymentLink'),
            example: examples.createPaymentLink,
          },
        },
      },
      responses: {
        201: success('The link.', 'PaymentLink', examples.paymentLink),
        ...failures(400, 403, 413, 415),
      },
    },
    get: {
      operationId: 'listPaymentLinks',
      summary: 'List payment links, newest first',
      description: 'Open ones and those that ended, unless `state` asks for one kind.',
      tags,
      parameters: queryParameters(listLinksSchema),
      responses: {
        200: success('A page of links.', 'PaymentLinkPage', examples.paymentLinkPage),
        ...failures(400, 403),
      },
    },
  },
  '/v1/payment-links/{id}': {
    get: {
      operationId: 'getPaymentLink',
      summary: 'Retrieve a payment link',
      description: 'With its address for payers, and whether payments can still be made.',
      tags,
      parameters: [idParameter],
      responses: { 200: success('The link.', 'PaymentLink', examples.paymentLink), ...failures(403, 404) },
    },
  },
  '/v1/payment-links/{id}/payments': {
    get: {
      operationId: 'listPaymentLinkPayments',
      summary: 'List the payments made by a link, newest first',
      description: 'Each payer who opens the link has a payment of their own.',
      tags,
      parameters: [idParameter, ...queryParameters(listLinkPaymentsSchema)],
      responses: {
        200: success('A page of payments.', 'PaymentPage', examples.paymentPage),
        ...failures(400, 403, 404),
      },
    },
  },
  '/v1/payment-links/{id}/deactivate': {
    post: {
      operationId: 'deactivatePaymentLink',
      summary: 'End a payment link for good',
      description: 'Payments that are pending can still be paid.',
      tags,
      parameters: [idParameter],
      responses: {
        200: success('The link.', 'PaymentLink', { ...examples.paymentLink, status: 'deactivated' }),
        ...failures(403, 404),
      },
    },
  },
} as const;
