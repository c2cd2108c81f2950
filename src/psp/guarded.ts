import {
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
} from 'cockatiel';
import { type PspAdapter, PspError } from '../domain/providers/psp.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { hasRequested } from './http/operation-budget.ts';

type Operation = Exclude<keyof PspAdapter, 'capabilities'>;

interface OperationRules {
  /** For the whole operation, including queueing, sign-in and every request. */
  timeoutMs: number;
  /** A query for an outcome: if it is refused or never sent, the outcome stays unknown. */
  isRead: boolean;
}

/** A create and the query that follows an unknown outcome leave time for another candidate within 12 s. */
const operations: Record<Operation, OperationRules> = {
  createCharge: { timeoutMs: 6_000, isRead: false },
  findCharge: { timeoutMs: 3_500, isRead: true },
  cancelCharge: { timeoutMs: 8_000, isRead: false },
  refundCharge: { timeoutMs: 10_000, isRead: false },
  findRefund: { timeoutMs: 5_000, isRead: true },
  check: { timeoutMs: 10_000, isRead: false },
};

export interface GuardLimits {
  /** Overrides the timeout of every operation. */
  timeoutMs?: number;
  /** Concurrent calls per credential and queue length: one such limit for creates, another for everything else. */
  concurrency: number;
  queue: number;
  /** Consecutive failures that open the circuit breaker of an operation, and how long it stays open. */
  failuresToOpen: number;
  openMs: number;
}

const defaultLimits: GuardLimits = { concurrency: 32, queue: 64, failuresToOpen: 5, openMs: 10_000 };

export interface GuardOptions {
  provider: string;
  credentialId: string;
  logger: Logger;
  metrics: Pick<Metrics, 'pspCallEnded'>;
  limits?: Partial<GuardLimits>;
}

/** A failure that says nothing about the PSP and must not count against it. */
class Untried extends Error {
  readonly error: PspError;

  constructor(error: PspError) {
    super(error.message);
    this.error = error;
  }
}

/** A bug in the adapter. Before its first request nothing can have happened. */
class Unexpected extends Error {
  readonly hasRequested: boolean;

  constructor(cause: unknown, hasRequested: boolean) {
    super('the adapter failed unexpectedly', { cause });
    this.hasRequested = hasRequested;
  }
}

const newPlaces = ({ concurrency, queue }: GuardLimits) => bulkhead(concurrency, queue);

/**
 * Adds a timeout, a circuit breaker per operation and bounded concurrency to the adapter of one credential. Keep it
 * for as long as the settings do not change. Fails with PspError only.
 */
export function guard(adapter: PspAdapter, options: GuardOptions): PspAdapter {
  const { provider, credentialId, logger, metrics } = options;
  const limits = { ...defaultLimits, ...options.limits };
  // Separate, so that a burst of queries cannot crowd out creates.
  const places = { creates: newPlaces(limits), others: newPlaces(limits) };
  const breakers = new Map<Operation, CircuitBreakerPolicy>();

  function breakerOf(operation: Operation): CircuitBreakerPolicy {
    const known = breakers.get(operation);
    if (known) return known;
    // An aborted trial call proves no recovery, so it counts as a failure when the breaker is half open.
    const counts = (error: Error) => !(error instanceof Untried) || breaker.state === CircuitState.HalfOpen;
    const breaker = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: limits.openMs,
      breaker: new ConsecutiveBreaker(limits.failuresToOpen),
    });
    breaker.onBreak(() => {
      logger.warn(
        { provider, credentialId, operation },
        'circuit breaker opened: the provider keeps failing',
      );
    });
    breaker.onReset(() => {
      logger.info(
        { provider, credentialId, operation },
        'circuit breaker closed: the provider responds again',
      );
    });
    breakers.set(operation, breaker);
    return breaker;
  }

  /** Runs the call, or fails once it times out or is aborted. */
  async function bounded<T>(
    operation: Operation,
    call: (signal: AbortSignal) => Promise<T>,
    outer: AbortSignal,
  ): Promise<T> {
    const timeoutMs = limits.timeoutMs ?? operations[operation].timeoutMs;
    const deadline = new AbortController();
    let hasStarted = false;
    const failed = (text: string) => new PspError(hasStarted ? 'unknown' : 'not_sent', text);
    return new Promise<T>((resolve, reject) => {
      const giveUp = (error: Error) => {
        reject(error);
        deadline.abort();
      };
      const onAbort = () => {
        giveUp(new Untried(failed('the call was aborted before the provider responded')));
      };
      const timer = setTimeout(() => {
        const error = failed(`the provider did not respond within ${timeoutMs} ms`);
        giveUp(hasStarted ? error : new Untried(error));
      }, timeoutMs);
      if (outer.aborted) onAbort();
      outer.addEventListener('abort', onAbort, { once: true });
      places[operation === 'createCharge' ? 'creates' : 'others']
        .execute(async () => {
          hasStarted = true;
          try {
            return await call(deadline.signal);
          } catch (error) {
            throw error instanceof PspError ? error : new Unexpected(error, hasRequested(deadline.signal));
          }
        }, deadline.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          outer.removeEventListener('abort', onAbort);
        });
    });
  }

  /** A refusal is a response: the breaker counts it as a success. */
  async function asked<T>(operation: Operation, work: () => Promise<T>): Promise<{ value: T } | PspError> {
    const breaker = breakerOf(operation);
    const isOpen = () => new PspError('not_sent', 'circuit breaker open after repeated provider failures');
    if (breaker.state === CircuitState.HalfOpen) throw isOpen();
    let wasAsked = false;
    try {
      return await breaker.execute(async () => {
        wasAsked = true;
        try {
          return { value: await work() };
        } catch (error) {
          if (error instanceof PspError && error.failure.startsWith('rejected')) return error;
          if (!(error instanceof BulkheadRejectedError)) throw error;
          throw new Untried(new PspError('not_sent', 'too many calls to the provider are queued'));
        }
      });
    } catch (error) {
      if (!wasAsked) throw isOpen();
      throw error instanceof Untried ? error.error : error;
    }
  }

  function failureOf(operation: Operation, error: unknown): PspError {
    const { isRead } = operations[operation];
    if (error instanceof PspError) return isRead ? new PspError('unknown', error.message) : error;
    const cause = error instanceof Unexpected ? error.cause : error;
    logger.error({ provider, credentialId, operation, error: cause }, 'adapter failed unexpectedly');
    const isUnsent = !isRead && error instanceof Unexpected && !error.hasRequested;
    return new PspError(isUnsent ? 'not_sent' : 'unknown', 'the adapter failed unexpectedly');
  }

  async function run<T>(
    operation: Operation,
    call: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const startedAt = performance.now();
    const end = (outcome: string, reason?: string) => {
      const milliseconds = Math.round(performance.now() - startedAt);
      metrics.pspCallEnded(provider, operation, outcome, milliseconds / 1_000);
      logger.debug({ provider, credentialId, operation, outcome, reason, milliseconds }, 'provider called');
    };
    try {
      const answer = await asked(operation, () => bounded(operation, call, signal));
      if (answer instanceof PspError) throw answer;
      end('done');
      return answer.value;
    } catch (error) {
      const failure = failureOf(operation, error);
      end(failure.failure, failure.message);
      throw failure;
    }
  }

  return {
    capabilities: adapter.capabilities,
    createCharge: (request, signal) =>
      run('createCharge', (bound) => adapter.createCharge(request, bound), signal),
    findCharge: (name, signal) => run('findCharge', (bound) => adapter.findCharge(name, bound), signal),
    cancelCharge: (name, signal) => run('cancelCharge', (bound) => adapter.cancelCharge(name, bound), signal),
    refundCharge: (request, signal) =>
      run('refundCharge', (bound) => adapter.refundCharge(request, bound), signal),
    findRefund: (request, signal) => run('findRefund', (bound) => adapter.findRefund(request, bound), signal),
    check: (signal) => run('check', (bound) => adapter.check(bound), signal),
  };
}
