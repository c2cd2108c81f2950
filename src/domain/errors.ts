/**
 * Every way in which the service refuses a request: stable words that clients may go by, in docs/errors.md with
 * cause and mend. Anything else that is thrown is a bug, `internal_error`.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'malformed_request'
  | 'malformed_json'
  | 'invalid_graphql'
  | 'query_too_expensive'
  | 'persisted_query_not_supported'
  | 'answer_too_large'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'credential_not_usable'
  | 'rule_set_not_usable'
  | 'no_usable_credential'
  | 'payer_data_missing'
  | 'provider_refused_payer'
  | 'refund_exceeds_amount'
  | 'too_many_events'
  | 'api_key_not_active'
  | 'invitation_not_valid'
  | 'password_link_not_valid'
  | 'unauthorized'
  | 'sign_in_refused'
  | 'sign_in_required'
  | 'session_ended'
  | 'permission_denied'
  | 'password_change_required'
  | 'second_factor_required'
  | 'invitation_of_somebody_else'
  | 'organization_not_allowed'
  | 'test_mode_only'
  | 'live_key_in_browser'
  | 'address_not_allowed'
  | 'foreign_origin'
  | 'second_person_required'
  | NotFoundCode
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payment_not_cancellable'
  | 'cancellation_not_supported'
  | 'payment_not_refundable'
  | 'refund_in_progress'
  | 'refund_limit_exceeded'
  | 'payment_not_payable'
  | 'payment_not_pending'
  | 'provider_refused'
  | 'credential_unreadable'
  | 'idempotency_key_in_flight'
  | 'resend_in_progress'
  | 'already_member'
  | 'account_elsewhere'
  | 'last_owner'
  | 'changed_meanwhile'
  | 'approval_required'
  | 'approval_request_closed'
  | 'second_owner_required'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'idempotency_key_of_other_operation'
  | 'rate_limit_exceeded'
  | 'too_many_subscriptions'
  | 'too_many_connections'
  | 'headers_too_large'
  | 'no_provider_available'
  | 'provider_unavailable'
  | 'internal_error'
  | 'service_unavailable';

/** What can be looked up, as `details.resource` names it. */
const notFoundCodes = {
  Payment: 'payment_not_found',
  Route: 'route_not_found',
  Organization: 'organization_not_found',
  ApiKey: 'api_key_not_found',
  Credential: 'credential_not_found',
  RuleSet: 'rule_set_not_found',
  WebhookEndpoint: 'webhook_endpoint_not_found',
  WebhookDelivery: 'webhook_delivery_not_found',
  Member: 'member_not_found',
  Invitation: 'invitation_not_found',
  User: 'user_not_found',
  ApprovalRequest: 'approval_request_not_found',
} as const;

export type Resource = keyof typeof notFoundCodes;
type NotFoundCode = (typeof notFoundCodes)[Resource];

interface Particulars {
  details?: { resource: Resource; id: string };
  retryAfterSeconds?: number;
  allowedMethods?: readonly string[];
  /** The request for approval that was made of the change. */
  approvalRequestId?: string;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly particulars: Particulars;

  /** `message` goes to the caller as it is: it names the field and the rule, never an internal. */
  constructor(code: ErrorCode, message: string, particulars: Particulars = {}) {
    super(message);
    this.code = code;
    this.particulars = particulars;
  }
}

/** Input that breaks a rule which the message names, where no code says more. */
export const badRequest = (message: string) => new ServiceError('invalid_request', message);

export const approvalRequired = (approvalRequestId: string) =>
  new ServiceError(
    'approval_required',
    `A second person has to approve this: it waits as approval request ${approvalRequestId}`,
    { approvalRequestId },
  );

/** Of an Idempotency-Key. Most requests are over within a second, whatever the lease of one that died. */
export const stillBeingProcessed = () =>
  new ServiceError(
    'idempotency_key_in_flight',
    'A request with this Idempotency-Key is still being processed',
    {
      retryAfterSeconds: 1,
    },
  );

export const unauthorized = () => new ServiceError('unauthorized', 'The API key is missing or invalid');

export const notFound = (resource: Resource, id: string) =>
  new ServiceError(notFoundCodes[resource], `${resource} ${id} was not found`, { details: { resource, id } });

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ServiceError('rate_limit_exceeded', 'Too many requests: wait before you send the next one', {
    retryAfterSeconds,
  });

/** `lost` is a connection that broke while it was in use. */
export type UnavailableReason = 'lost' | 'away' | 'full' | 'slow';

const retryAfterSeconds: Record<UnavailableReason, number> = { lost: 1, full: 2, slow: 2, away: 5 };

/**
 * What the service itself needs does not work now. No decision like a ServiceError: what was asked for may have
 * been done, or half of it. Bears no `code`, which Prisma would take for one of its own.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly reason: UnavailableReason;

  /** `message` goes to the caller as it is. */
  constructor(
    reason: UnavailableReason,
    cause?: unknown,
    message = 'The service is temporarily unavailable: try again in a few seconds',
  ) {
    super(message, { cause });
    this.reason = reason;
  }

  /** As callers are told it. */
  asServiceError(): ServiceError {
    const seconds = retryAfterSeconds[this.reason];
    return new ServiceError('service_unavailable', this.message, { retryAfterSeconds: seconds });
  }
}

/** What callers are told; undefined for a bug. */
export function toldError(error: unknown): ServiceError | undefined {
  if (error instanceof Unavailable) return error.asServiceError();
  return error instanceof ServiceError ? error : undefined;
}
