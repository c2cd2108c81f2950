import type { CheckReason } from './check-reasons.ts';

/**
 * How a call to a PSP failed:
 * `rejected`: a definite no;
 * `rejected_payer`: a definite no because of the payer's data, reported to the caller;
 * `rate_limited`: refused unread because of too many requests (HTTP 429), which says nothing against the PSP;
 * `not_yet`: a definite no for now, and nothing was done: the same request may be accepted later;
 * `not_sent`: nothing reached the PSP;
 * `unknown`: it may or may not have happened.
 */
export type PspFailure = 'rejected' | 'rejected_payer' | 'rate_limited' | 'not_yet' | 'not_sent' | 'unknown';

/** Counted in characters. */
export const keptBodyLength = 16_384;

/** The response as it came, with its body shortened to `keptBodyLength`. */
export interface PspResponse {
  status: number;
  body: string;
}

interface PspErrorOptions {
  reason?: CheckReason | undefined;
  retryAfterMs?: number | null;
  response?: PspResponse | undefined;
  isUnserved?: boolean;
}

/** The message is ours and contains neither payer data nor secrets. */
export class PspError extends Error {
  override readonly name = 'PspError';
  readonly failure: PspFailure;
  /** What is wrong with the credential, if the failure tells. */
  readonly reason: CheckReason | undefined;
  /**
   * How long to leave the account alone after too many requests, otherwise null. Also set when those made an outcome `unknown`.
   */
  readonly retryAfterMs: number | null;
  /** The response that could not be read or believed. It may contain payer data, so it is kept sealed and never logged. */
  readonly response: PspResponse | undefined;
  /** The PSP, the account or its settings lack an optional service as a whole. */
  readonly isUnserved: boolean;

  constructor(
    failure: PspFailure,
    message: string,
    { reason, retryAfterMs = null, response, isUnserved = false }: PspErrorOptions = {},
  ) {
    super(message);
    this.failure = failure;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.response = response;
    this.isUnserved = isUnserved;
  }

  /** The same cause with another consequence. */
  as(failure: PspFailure, message = this.message): PspError {
    return new PspError(failure, message, this);
  }

  about(response: PspResponse): PspError {
    return new PspError(this.failure, this.message, { ...this, response });
  }
}

const usualReasons: Record<PspFailure, CheckReason> = {
  rejected: 'request_refused',
  rejected_payer: 'request_refused',
  rate_limited: 'rate_limited',
  not_yet: 'request_refused',
  not_sent: 'unreachable',
  unknown: 'unexpected_response',
};

/** The reason in words for whoever manages the account. */
export const reasonOf = ({ reason, failure }: PspError): CheckReason => reason ?? usualReasons[failure];

export const retryAfterMsOf = (error: unknown): number | null =>
  error instanceof PspError ? error.retryAfterMs : null;

/** Throws a PspError as `unknown`, because a failed query, whatever its cause, says nothing about the charge. */
export function throwUnknownOutcome(error: unknown): never {
  throw error instanceof PspError ? error.as('unknown') : error;
}
