/** Everything this package throws, but for errors of its arguments. */
export class PixError extends Error {
  override name: string = 'PixError';
}

/** No response came: the network failed, or the time was over. Whether the service did its work is unknown. */
export class ConnectionError extends PixError {
  override name = 'ConnectionError';
}

/** The webhook is forged, altered or too old. Respond with 401. */
export class WebhookVerificationError extends PixError {
  override name = 'WebhookVerificationError';
}

export interface Failure {
  status: number;
  /** Stable; decide by it. The reference lists them all: docs/errors.md of the service. */
  code: string;
  message: string;
  /** Finds the request in the log of the service. */
  traceId: string | undefined;
  /** What the service asks to wait before another attempt. */
  retryAfterSeconds: number | undefined;
  /** The page that explains the code. */
  helpUrl: string | undefined;
}

/** The service refused the request, or failed. */
export class ApiError extends PixError implements Failure {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly traceId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly helpUrl: string | undefined;

  constructor({ message, status, code, traceId, retryAfterSeconds, helpUrl }: Failure) {
    super(message);
    this.status = status;
    this.code = code;
    this.traceId = traceId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.helpUrl = helpUrl;
  }
}

/** 400, 413, 415, 422: `message` names each field and the rule it breaks. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}

/** 401 */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 403 */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404 */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the state of the payment does not allow it. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 429 */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx, after every retry. */
export class ServiceError extends ApiError {
  override name = 'ServiceError';
}

const byStatus: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

export function apiError(failure: Failure): ApiError {
  const Kind = byStatus[failure.status] ?? (failure.status >= 500 ? ServiceError : ApiError);
  return new Kind(failure);
}
