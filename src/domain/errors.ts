/** Every way in which the service refuses a request. Anything else that is thrown is a bug. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'unprocessable_entity'
  | 'too_many_requests'
  | 'request_header_fields_too_large'
  | 'no_provider';

interface Particulars {
  details?: { resource: string; id: string };
  retryAfterSeconds?: number;
  allowedMethods?: readonly string[];
  /** An earlier request with the same Idempotency-Key failed so. */
  isReplay?: true;
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

export const badRequest = (message: string) => new ServiceError('bad_request', message);

export const conflict = (message: string) => new ServiceError('conflict', message);

/** Of an Idempotency-Key. */
export const stillBeingProcessed = (retryAfterSeconds: number) =>
  new ServiceError('conflict', 'A request with this Idempotency-Key is still being processed', {
    retryAfterSeconds,
  });

export const unauthorized = () => new ServiceError('unauthorized', 'The API key is missing or invalid');

export const notFound = (resource: string, id: string) =>
  new ServiceError('not_found', `${resource} ${id} was not found`, { details: { resource, id } });

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ServiceError('too_many_requests', 'Too many requests: wait before you send the next one', {
    retryAfterSeconds,
  });
