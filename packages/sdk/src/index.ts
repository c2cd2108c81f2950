export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PixError,
  RateLimitError,
  ServiceError,
  WebhookVerificationError,
} from './errors.ts';
export {
  Pix,
  type AnyRequest,
  type Batches,
  type Disputes,
  type Events,
  type PaymentLinks,
  type Payments,
  type Recurrences,
  type Refunds,
  type RequestOptions,
  type Requests,
  type Sandbox,
  type WebhookEndpoints,
  type WriteOptions,
} from './pix.ts';
export type { Options } from './send.ts';
export type * from './types.ts';
export { verifyWebhook, type WebhookRequest } from './webhooks.ts';
