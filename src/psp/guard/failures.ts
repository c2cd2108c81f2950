import { PspError, type PspResponse } from '../../core/providers/rules/psp-error.ts';
import { unreadResponse } from '../http/last-response.ts';
import { hasRequested } from '../http/operation-budget.ts';

/** A failure that says nothing about the PSP, and must not count against it. */
export class Untried extends Error {
  readonly error: PspError;

  constructor(error: PspError) {
    super(error.message);
    this.error = error;
  }
}

/** Polling that gave way to other requests, so that no call was made. */
export class HeldBack extends Untried {}

/** A bug in the adapter. Before its first request, nothing can have happened. */
export class Unexpected extends Error {
  readonly hasRequested: boolean;
  readonly response: PspResponse | undefined;

  constructor(cause: unknown, signal: AbortSignal) {
    super('the adapter failed unexpectedly', { cause });
    this.hasRequested = hasRequested(signal);
    this.response = unreadResponse(signal);
  }
}

/** The breaker is open, or another call is trying whether it can close. */
export class BreakerOpen extends Untried {
  constructor() {
    super(new PspError('not_sent', 'circuit breaker open after repeated provider failures'));
  }
}

/** Adds the response that left the outcome unknown. */
export function withUnreadResponse(error: PspError, signal: AbortSignal): PspError {
  const response = error.failure === 'unknown' ? unreadResponse(signal) : undefined;
  return response ? error.about(response) : error;
}

/** A refusal is a response too, and so is a 429. */
export const isResponse = ({ failure, retryAfterMs }: PspError): boolean =>
  failure.startsWith('rejected') || failure === 'not_yet' || retryAfterMs !== null;
