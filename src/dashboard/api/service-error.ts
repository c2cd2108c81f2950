import type { Problem } from '../../core/base/problems/rules.ts';

/** The service's error format, in REST bodies and GraphQL `extensions`. */
export interface ErrorBody {
  message?: string;
  statusCode?: number;
  /** GraphQL gives it (UNAUTHENTICATED, BAD_USER_INPUT), or the sign-in (INVALID_PASSWORD). */
  code?: string;
  /** A code from docs/errors.md. */
  reason?: string;
  traceId?: string;
  /** The Retry-After header says it. */
  retryAfterSeconds?: number;
  /** Set when the change awaits approval. */
  approvalRequestId?: string;
  /** Which field breaks which rule. */
  problems?: readonly Problem[];
  /** Is in the person's language, and set where the code alone does not say enough. */
  wording?: string;
}

/** An error returned by the service, or `OFFLINE` when it cannot be reached. Its message is English, and is never shown. */
export class ServiceError extends Error {
  readonly code: string;
  readonly reason: string;
  readonly statusCode: number;
  readonly traceId: string | undefined;
  /** 0 without a Retry-After header. */
  readonly retryAfterSeconds: number;
  readonly approvalRequestId: string | undefined;
  readonly problems: readonly Problem[];
  readonly wording: string | undefined;

  constructor(body: ErrorBody, options?: ErrorOptions) {
    const { code = '', reason = '', statusCode = 0, traceId, retryAfterSeconds, approvalRequestId } = body;
    super(body.message ?? 'Request failed', options);
    this.code = code;
    this.reason = reason;
    this.statusCode = statusCode;
    this.traceId = traceId;
    this.retryAfterSeconds = retryAfterSeconds ?? 0;
    this.approvalRequestId = approvalRequestId;
    this.problems = body.problems ?? [];
    this.wording = body.wording;
  }

  get isSignedOut(): boolean {
    return this.statusCode === 401;
  }

  /** The session has changed: signed out, or a second factor is now required. */
  get isAboutPerson(): boolean {
    return this.isSignedOut || this.reason === 'second_factor_required';
  }
}

/** Not a failure: the change awaits approval. */
export const isAwaitingApproval = (error: unknown): boolean =>
  error instanceof ServiceError && error.approvalRequestId !== undefined;

export const errorBodyOf = (body: unknown, { status, headers }: Response): ErrorBody => ({
  statusCode: status,
  retryAfterSeconds: Number(headers.get('Retry-After')) || 0,
  reason: headers.get('X-Error-Code') ?? '',
  ...(typeof body === 'object' ? body : undefined),
});
