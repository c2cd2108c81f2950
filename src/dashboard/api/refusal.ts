/** The error shape of the service, as REST and `extensions` have it. */
export interface Failure {
  message?: string;
  statusCode?: number;
  /** Of GraphQL, as UNAUTHENTICATED or BAD_USER_INPUT; of the sign-in, as INVALID_PASSWORD. */
  code?: string;
  traceId?: string;
}

/** What the service refused, or that it could not be reached (`OFFLINE`). */
export class Refusal extends Error {
  readonly code: string;
  readonly statusCode: number;
  readonly traceId: string | undefined;

  constructor({ message, code, statusCode, traceId }: Failure, options?: ErrorOptions) {
    super(message ?? 'The service refused', options);
    this.code = code ?? '';
    this.statusCode = statusCode ?? 0;
    this.traceId = traceId;
  }

  get isSignedOut(): boolean {
    return this.statusCode === 401;
  }
}

export const failureOf = (answer: unknown, response: Response): Failure => ({
  statusCode: response.status,
  ...(typeof answer === 'object' ? answer : undefined),
});
