import type { Problem } from './problems/rules.ts';

/** Codes for which a service refuses a request. src/transport/errors.ts adds those of the transports. */
export type ServiceErrorCode =
  | 'invalid_request'
  | 'response_too_large'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'credential_not_usable'
  | 'rule_set_not_usable'
  | 'no_usable_credential'
  | 'payer_data_missing'
  | 'amount_not_accepted'
  | 'due_not_accepted'
  | 'recurrence_not_accepted'
  | 'recurrence_not_active'
  | 'recurrence_not_cancellable'
  | 'cycle_has_debit'
  | 'payment_not_retriable'
  | 'provider_refused_payer'
  | 'refund_exceeds_amount'
  | 'too_many_events'
  | 'too_many_batches'
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
  | 'address_not_allowed'
  | 'second_person_required'
  | NotFoundCode
  | 'payment_not_changeable'
  | 'payment_not_cancellable'
  | 'cancellation_not_supported'
  | 'payment_not_refundable'
  | 'payment_disputed'
  | 'refund_in_progress'
  | 'refund_limit_exceeded'
  | 'payment_not_payable'
  | 'payment_not_pending'
  | 'payment_not_reversible'
  | 'dispute_not_open'
  | 'dispute_answered'
  | 'dispute_not_answerable'
  | 'provider_refused'
  | 'credential_unreadable'
  | 'credential_in_use'
  | 'credential_archived'
  | 'rule_set_in_use'
  | 'idempotency_key_in_flight'
  | 'resend_in_progress'
  | 'test_clock_moving'
  | 'already_member'
  | 'account_elsewhere'
  | 'last_owner'
  | 'changed_meanwhile'
  | 'approval_required'
  | 'approval_request_closed'
  | 'difference_settled'
  | 'difference_open'
  | 'person_not_found'
  | 'person_has_open_payments'
  | 'second_owner_required'
  | 'email_not_configured'
  | 'idempotency_key_reused'
  | 'idempotency_key_of_other_operation'
  | 'rate_limit_exceeded'
  | 'too_many_subscriptions'
  | 'too_many_connections'
  | 'no_provider_available'
  | 'provider_unavailable'
  | 'service_unavailable';

/** The keys are the names in `details.resource`. */
const notFoundCodes = {
  Payment: 'payment_not_found',
  Route: 'route_not_found',
  Organization: 'organization_not_found',
  ApiKey: 'api_key_not_found',
  Credential: 'credential_not_found',
  RuleSet: 'rule_set_not_found',
  PaymentLink: 'payment_link_not_found',
  PaymentBatch: 'payment_batch_not_found',
  Recurrence: 'recurrence_not_found',
  Refund: 'refund_not_found',
  Dispute: 'dispute_not_found',
  DisputeDocument: 'dispute_document_not_found',
  WebhookEndpoint: 'webhook_endpoint_not_found',
  WebhookDelivery: 'webhook_delivery_not_found',
  Member: 'member_not_found',
  Invitation: 'invitation_not_found',
  User: 'user_not_found',
  ApprovalRequest: 'approval_request_not_found',
  Difference: 'difference_not_found',
} as const;

export type Resource = keyof typeof notFoundCodes;
type NotFoundCode = (typeof notFoundCodes)[Resource];

export interface ErrorContext {
  details?: { resource: Resource; id: string };
  retryAfterSeconds?: number;
  allowedMethods?: readonly string[];
  /** The approval request opened for the change. */
  approvalRequestId?: string;
  /** What the message says, for programs. */
  problems?: readonly Problem[];
}

export class ServiceError<Code extends string = ServiceErrorCode> extends Error {
  override readonly name = 'ServiceError';
  readonly code: Code;
  readonly context: ErrorContext;

  /** `message` is shown to the caller: it names the field and the rule, never an internal. */
  constructor(code: Code, message: string, context: ErrorContext = {}) {
    super(message);
    this.code = code;
    this.context = context;
  }
}

/** Reports input that breaks rules without a code of their own. */
export const badRequest = (message: string, ...problems: readonly Problem[]) =>
  new ServiceError('invalid_request', message, problems.length > 0 ? { problems } : {});

export const approvalRequired = (approvalRequestId: string) =>
  new ServiceError(
    'approval_required',
    `This change needs a second person's approval: see approval request ${approvalRequestId}`,
    { approvalRequestId },
  );

/** Most requests finish within a second, however long the lease of a crashed one lasts. */
export const idempotencyKeyInFlight = () =>
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
  new ServiceError('rate_limit_exceeded', 'Too many requests: wait before sending another', {
    retryAfterSeconds,
  });

/** Seconds after which a provider that failed is worth another try. */
export const providerRestSeconds = 5;

/** `lost`: a connection broke while in use. */
export type UnavailableReason = 'lost' | 'away' | 'full' | 'slow';

const retryAfterSeconds: Record<UnavailableReason, number> = { lost: 1, full: 2, slow: 2, away: 5 };

/**
 * A dependency of the service is down. Unlike a ServiceError this is not a decision: the operation may have
 * been carried out in full or in part. Has no `code`, which Prisma would mistake for one of its own.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly reason: UnavailableReason;

  /** `message` is shown to the caller. */
  constructor(
    reason: UnavailableReason,
    cause?: unknown,
    message = 'The service is temporarily unavailable: try again in a few seconds',
  ) {
    super(message, { cause });
    this.reason = reason;
  }

  asServiceError(): ServiceError {
    const seconds = retryAfterSeconds[this.reason];
    return new ServiceError('service_unavailable', this.message, { retryAfterSeconds: seconds });
  }
}
