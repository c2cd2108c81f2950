import type { Problem } from '../../core/base/problems/rules.ts';

/** The service answers errors like this in REST bodies and in GraphQL `extensions`. */
export interface ErrorBody {
  message?: string;
  statusCode?: number;
  /** GraphQL gives it (UNAUTHENTICATED, BAD_USER_INPUT), or the sign-in (INVALID_PASSWORD). */
  code?: string;
  /** The codes are listed in docs/errors.md. */
  reason?: string;
  traceId?: string;
  /** From the Retry-After header. */
  retryAfterSeconds?: number;
  /** Set when the change awaits approval. */
  approvalRequestId?: string;
  /** Which field breaks which rule. */
  problems?: readonly Problem[];
  /** A text in the person's language, set where the code alone does not say enough. */
  wording?: string;
}

/** An error of the service, or `OFFLINE` when it cannot be reached. Its message is English, and never shown. */
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

  /** The session has changed: the person signed out, or now needs a second factor. */
  get isAboutPerson(): boolean {
    return this.isSignedOut || this.reason === 'second_factor_required';
  }
}

/** A change that awaits approval has not failed. */
export const isAwaitingApproval = (error: unknown): boolean =>
  error instanceof ServiceError && error.approvalRequestId !== undefined;

export const errorBodyOf = (body: unknown, { status, headers }: Response): ErrorBody => ({
  statusCode: status,
  retryAfterSeconds: Number(headers.get('Retry-After')) || 0,
  reason: headers.get('X-Error-Code') ?? '',
  ...(typeof body === 'object' ? body : undefined),
});
