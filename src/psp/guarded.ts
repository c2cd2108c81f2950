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
  /** In all: waiting for a place, sign-in and every request of the operation included. */
  timeoutMs: number;
  /** Asks what became of something: a question that is refused or never put leaves that unknown. */
  isRead: boolean;
}

/** A create and the question that follows an unknown outcome leave room for another candidate within 12 s. */
const operations: Record<Operation, OperationRules> = {
  createCharge: { timeoutMs: 6_000, isRead: false },
  findCharge: { timeoutMs: 3_500, isRead: true },
  cancelCharge: { timeoutMs: 8_000, isRead: false },
  refundCharge: { timeoutMs: 10_000, isRead: false },
  findRefund: { timeoutMs: 5_000, isRead: true },
  check: { timeoutMs: 10_000, isRead: false },
};

export interface GuardLimits {
  /** For every operation, instead of its own. */
  timeoutMs?: number;
  /** Calls of one credential at once, and how many more may wait: so many creates, and as many of all else. */
  concurrency: number;
  queue: number;
  /** So many failures on end open the breaker of one operation, for so long. */
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

/** A failure that says nothing of the PSP: it must not count against it. */
class Untried extends Error {
  readonly error: PspError;

  constructor(error: PspError) {
    super(error.message);
    this.error = error;
  }
}

/** A failure of the adapter itself, which is ours. Before its first request nothing can have happened. */
class Unexpected extends Error {
  readonly hasRequested: boolean;

  constructor(cause: unknown, hasRequested: boolean) {
    super('the adapter failed unexpectedly', { cause });
    this.hasRequested = hasRequested;
  }
}

const newPlaces = ({ concurrency, queue }: GuardLimits) => bulkhead(concurrency, queue);

/**
 * The adapter with a time limit, a breaker for each operation and bounded concurrency; for one credential,
 * and to be kept as long as its settings. Fails with PspError only.
 */
export function guard(adapter: PspAdapter, options: GuardOptions): PspAdapter {
  const { provider, credentialId, logger, metrics } = options;
  const limits = { ...defaultLimits, ...options.limits };
  // Apart, so that no storm of questions crowds out a create.
  const places = { creates: newPlaces(limits), others: newPlaces(limits) };
  const breakers = new Map<Operation, CircuitBreakerPolicy>();

  function breakerOf(operation: Operation): CircuitBreakerPolicy {
    const known = breakers.get(operation);
    if (known) return known;
    // A trial call that was given up shows no recovery, so it counts where it is the trial.
    const counts = (error: Error) => !(error instanceof Untried) || breaker.state === CircuitState.HalfOpen;
    const breaker = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: limits.openMs,
      breaker: new ConsecutiveBreaker(limits.failuresToOpen),
    });
    breaker.onBreak(() => {
      logger.warn({ provider, credentialId, operation }, 'provider fails: its breaker is open');
    });
    breaker.onReset(() => {
      logger.info({ provider, credentialId, operation }, 'provider answers again: its breaker is closed');
    });
    breakers.set(operation, breaker);
    return breaker;
  }

  /** In time, or not at all. */
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
        giveUp(new Untried(failed('the call was given up before the provider had answered')));
      };
      const timer = setTimeout(() => {
        const error = failed(`the provider did not answer within ${timeoutMs} ms`);
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

  /** A refusal is an answer: for the breaker it is a success. */
  async function asked<T>(operation: Operation, work: () => Promise<T>): Promise<{ value: T } | PspError> {
    const breaker = breakerOf(operation);
    const isOpen = () => new PspError('not_sent', 'the provider has failed too often: it is given a rest');
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
          throw new Untried(new PspError('not_sent', 'too many calls wait for the provider'));
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
