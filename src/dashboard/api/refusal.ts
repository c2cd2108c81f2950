/** The error shape of the service, as REST and `extensions` have it. */
export interface Failure {
  message?: string;
  statusCode?: number;
  /** Of GraphQL, as UNAUTHENTICATED or BAD_USER_INPUT; of the sign-in, as INVALID_PASSWORD. */
  code?: string;
  traceId?: string;
  /** As the header Retry-After says. */
  retryAfterSeconds?: number;
}

/** What the service refused, or that it could not be reached (`OFFLINE`). */
export class Refusal extends Error {
  readonly code: string;
  readonly statusCode: number;
  readonly traceId: string | undefined;
  /** 0 when nothing was said. */
  readonly retryAfterSeconds: number;

  constructor(failure: Failure, options?: ErrorOptions) {
    const { message, code, statusCode, traceId, retryAfterSeconds } = failure;
    super(message ?? 'The service refused', options);
    this.code = code ?? '';
    this.statusCode = statusCode ?? 0;
    this.traceId = traceId;
    this.retryAfterSeconds = retryAfterSeconds ?? 0;
  }

  get isSignedOut(): boolean {
    return this.statusCode === 401;
  }
}

/** Of a response with what it tells, if anything. */
export const failureOf = (told: unknown, { status, headers }: Response): Failure => ({
  statusCode: status,
  retryAfterSeconds: Number(headers.get('Retry-After')) || 0,
  ...(typeof told === 'object' ? told : undefined),
});
