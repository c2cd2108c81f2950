/** The error shape of the service, as REST and `extensions` have it. */
export interface Failure {
  message?: string;
  statusCode?: number;
  /** Of GraphQL, as UNAUTHENTICATED or BAD_USER_INPUT; of the sign-in, as INVALID_PASSWORD. */
  code?: string;
  /** The code of docs/errors.md. */
  reason?: string;
  traceId?: string;
  /** As the header Retry-After says. */
  retryAfterSeconds?: number;
  /** The change waits for a second person as this request. */
  approvalRequestId?: string;
}

/** What the service refused, or that it could not be reached (`OFFLINE`). */
export class Refusal extends Error {
  readonly code: string;
  readonly reason: string;
  readonly statusCode: number;
  readonly traceId: string | undefined;
  /** 0 when nothing was said. */
  readonly retryAfterSeconds: number;
  readonly approvalRequestId: string | undefined;

  constructor(failure: Failure, options?: ErrorOptions) {
    const { message, code, reason, statusCode, traceId, retryAfterSeconds, approvalRequestId } = failure;
    super(message ?? 'The service refused', options);
    this.code = code ?? '';
    this.reason = reason ?? '';
    this.statusCode = statusCode ?? 0;
    this.traceId = traceId;
    this.retryAfterSeconds = retryAfterSeconds ?? 0;
    this.approvalRequestId = approvalRequestId;
  }

  get isSignedOut(): boolean {
    return this.statusCode === 401;
  }

  /** Who is signed in, or what is asked of them, is no longer what the page knows. */
  get isAboutPerson(): boolean {
    return this.isSignedOut || this.reason === 'second_factor_required';
  }
}

/** It did not go wrong: a second person is asked. */
export const isAwaitingApproval = (error: unknown): boolean =>
  error instanceof Refusal && error.approvalRequestId !== undefined;

/** Of a response with what it tells, if anything. */
export const failureOf = (told: unknown, { status, headers }: Response): Failure => ({
  statusCode: status,
  retryAfterSeconds: Number(headers.get('Retry-After')) || 0,
  reason: headers.get('X-Error-Code') ?? '',
  ...(typeof told === 'object' ? told : undefined),
});
