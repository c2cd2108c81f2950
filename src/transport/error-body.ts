import { type ErrorCode, toReportedError } from './errors.ts';

/** Body of every REST error. */
export interface ErrorBody {
  statusCode: number;
  error: string;
  message: string;
  /** ISO 8601. */
  timestamp: string;
  /** Comes with status 500 only. */
  traceId?: string;
  /** Comes with status 404 only. */
  details?: { resource: string; id: string };
}

const names = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableEntity',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
} as const;

export type ErrorStatus = keyof typeof names;

/** Keeps the order of docs/errors.md. */
export const statusOfCode: Record<ErrorCode, ErrorStatus> = {
  invalid_request: 400,
  malformed_request: 400,
  malformed_json: 400,
  invalid_graphql: 400,
  query_too_expensive: 400,
  persisted_query_not_supported: 400,
  response_too_large: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  credential_not_usable: 400,
  rule_set_not_usable: 400,
  no_usable_credential: 400,
  payer_data_missing: 400,
  amount_not_accepted: 400,
  due_not_accepted: 400,
  recurrence_not_accepted: 400,
  provider_refused_payer: 400,
  refund_exceeds_amount: 400,
  too_many_events: 400,
  api_key_not_active: 400,
  invitation_not_valid: 400,
  password_link_not_valid: 400,
  unauthorized: 401,
  sign_in_refused: 401,
  sign_in_required: 401,
  session_ended: 401,
  permission_denied: 403,
  password_change_required: 403,
  second_factor_required: 403,
  invitation_of_somebody_else: 403,
  organization_not_allowed: 403,
  test_mode_only: 403,
  live_key_in_browser: 403,
  address_not_allowed: 403,
  foreign_origin: 403,
  second_person_required: 403,
  payment_not_found: 404,
  route_not_found: 404,
  organization_not_found: 404,
  api_key_not_found: 404,
  credential_not_found: 404,
  rule_set_not_found: 404,
  payment_link_not_found: 404,
  payment_batch_not_found: 404,
  recurrence_not_found: 404,
  refund_not_found: 404,
  dispute_not_found: 404,
  dispute_document_not_found: 404,
  webhook_endpoint_not_found: 404,
  webhook_delivery_not_found: 404,
  member_not_found: 404,
  invitation_not_found: 404,
  user_not_found: 404,
  approval_request_not_found: 404,
  difference_not_found: 404,
  person_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  payment_not_changeable: 409,
  payment_not_retriable: 409,
  recurrence_not_active: 409,
  recurrence_not_cancellable: 409,
  cycle_has_debit: 409,
  payment_not_cancellable: 409,
  cancellation_not_supported: 409,
  payment_not_refundable: 409,
  payment_disputed: 409,
  refund_in_progress: 409,
  refund_limit_exceeded: 409,
  payment_not_payable: 409,
  payment_not_pending: 409,
  payment_not_reversible: 409,
  dispute_not_open: 409,
  dispute_answered: 409,
  dispute_not_answerable: 409,
  provider_refused: 409,
  credential_unreadable: 409,
  credential_in_use: 409,
  credential_archived: 409,
  rule_set_in_use: 409,
  idempotency_key_in_flight: 409,
  resend_in_progress: 409,
  test_clock_moving: 409,
  already_member: 409,
  account_elsewhere: 409,
  last_owner: 409,
  changed_meanwhile: 409,
  too_many_batches: 409,
  approval_required: 409,
  approval_request_closed: 409,
  difference_settled: 409,
  difference_open: 409,
  person_has_open_payments: 409,
  second_owner_required: 409,
  email_not_configured: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  idempotency_key_of_other_operation: 422,
  rate_limit_exceeded: 429,
  too_many_subscriptions: 429,
  too_many_connections: 429,
  headers_too_large: 431,
  no_provider_available: 500,
  provider_unavailable: 500,
  internal_error: 500,
  service_unavailable: 503,
};

/** Says where an error is explained. */
export const helpLink = (code: string): string => `</docs/errors#${code}>; rel="help"`;

export const errorCodeOf = (error: unknown): ErrorCode => toReportedError(error)?.code ?? 'internal_error';

export const statusOf = (error: unknown): ErrorStatus => statusOfCode[errorCodeOf(error)];

/** A bug gets a fixed message, since its own may reveal internals. */
export function errorBody(error: unknown, traceId: string, now: Date): ErrorBody {
  const known = toReportedError(error);
  const statusCode = statusOf(error);
  const details = known?.context.details;
  return {
    statusCode,
    error: names[statusCode],
    message: known?.message ?? 'An unexpected error occurred',
    timestamp: now.toISOString(),
    ...(statusCode === 500 && { traceId }),
    ...(details && { details }),
  };
}
