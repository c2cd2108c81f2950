import {
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
} from 'cockatiel';
import { type CallObserver, callOutcomeOf, unobserved } from '../domain/health/calls.ts';
import type { CheckReason } from '../domain/providers/check-reasons.ts';
import type { PspAdapter } from '../domain/providers/psp.ts';
import { PspError, type PspResponse, reasonOf } from '../domain/providers/psp-error.ts';
import type { Polling } from '../domain/providers/request-quota.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { parentOf, within } from '../observability/trace.ts';
import { noTracing, type Tracing } from '../observability/tracing.ts';
import { unreadResponse } from './http/last-response.ts';
import { hasRequested, prepay } from './http/operation-budget.ts';
import type { RequestMeter } from './request-meter.ts';

type Operation = Exclude<keyof PspAdapter, 'capabilities'>;
type Call<T> = (signal: AbortSignal) => Promise<T>;

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
  signIn: { timeoutMs: 10_000, isRead: false },
  findWebhook: { timeoutMs: 10_000, isRead: true },
  listReceived: { timeoutMs: 10_000, isRead: true },
  listStatement: { timeoutMs: 10_000, isRead: true },
  listCharges: { timeoutMs: 10_000, isRead: true },
  // The PSP calls the notification URL before it responds.
  registerWebhook: { timeoutMs: 30_000, isRead: false },
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
  metrics: Pick<Metrics, 'pspCallEnded' | 'pspBreakersOpen'>;
  meter?: Pick<RequestMeter, 'admitPolling'>;
  tracing?: Tracing;
  calls?: CallObserver;
  limits?: Partial<GuardLimits>;
}

export interface GuardedAdapter extends PspAdapter {
  /** The same, giving way to everything else: fails while the PSP's quota has no room for this. */
  readonly polling: Readonly<Record<Polling, PspAdapter>>;
}

/** A failure that says nothing about the PSP and must not count against it. */
class Untried extends Error {
  readonly error: PspError;

  constructor(error: PspError) {
    super(error.message);
    this.error = error;
  }
}

/** Polling that gives way: there was no call. */
class HeldBack extends Untried {}

/** A bug in the adapter. Before its first request nothing can have happened. */
class Unexpected extends Error {
  readonly hasRequested: boolean;
  readonly response: PspResponse | undefined;

  constructor(cause: unknown, signal: AbortSignal) {
    super('the adapter failed unexpectedly', { cause });
    this.hasRequested = hasRequested(signal);
    this.response = unreadResponse(signal);
  }
}

/** With the response that left the outcome unknown. */
function explained(error: PspError, signal: AbortSignal): PspError {
  const response = error.failure === 'unknown' ? unreadResponse(signal) : undefined;
  return response ? error.about(response) : error;
}

const openText = 'circuit breaker open after repeated provider failures';

const isResponse = ({ failure, retryAfterMs }: PspError): boolean =>
  failure.startsWith('rejected') || failure === 'not_yet' || retryAfterMs !== null;

const newBulkhead = ({ concurrency, queue }: GuardLimits) => bulkhead(concurrency, queue);

/**
 * Adds a timeout, a circuit breaker per operation and bounded concurrency to the adapter of one credential. Keep it
 * for as long as the settings do not change. Fails with PspError only.
 */
export function guard(adapter: PspAdapter, options: GuardOptions): GuardedAdapter {
  const { provider, credentialId, logger, metrics, meter, tracing = noTracing, calls = unobserved } = options;
  const limits = { ...defaultLimits, ...options.limits };
  // Separate, so that a burst of queries cannot crowd out creates.
  const bulkheads = { creates: newBulkhead(limits), others: newBulkhead(limits) };
  const breakers = new Map<Operation, CircuitBreakerPolicy>();

  const reportOpen = () => {
    const open = [...breakers.values()].filter(({ state }) => state !== CircuitState.Closed);
    metrics.pspBreakersOpen(provider, credentialId, open.length);
    calls.breakersOpen(credentialId, open.length);
  };
  // Replaces what was reported for the credential's former settings.
  reportOpen();

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
      reportOpen();
      logger.warn(
        { provider, credentialId, operation },
        'circuit breaker opened: the provider keeps failing',
      );
    });
    breaker.onReset(() => {
      reportOpen();
      logger.info(
        { provider, credentialId, operation },
        'circuit breaker closed: the provider responds again',
      );
    });
    breakers.set(operation, breaker);
    return breaker;
  }

  /** Runs the call, or fails once it times out or is aborted. */
  async function bounded<T>(operation: Operation, call: Call<T>, outer: AbortSignal): Promise<T> {
    const timeoutMs = limits.timeoutMs ?? operations[operation].timeoutMs;
    const deadline = new AbortController();
    let hasStarted = false;
    const failed = (text: string, reason?: CheckReason) =>
      new PspError(hasStarted ? 'unknown' : 'not_sent', text, { reason });
    return new Promise<T>((resolve, reject) => {
      const giveUp = (error: Error) => {
        reject(error);
        deadline.abort();
      };
      const onAbort = () => {
        giveUp(new Untried(failed('the call was aborted before the provider responded')));
      };
      const timer = setTimeout(() => {
        const error = failed(`the provider did not respond within ${timeoutMs} ms`, 'unreachable');
        giveUp(hasStarted ? error : new Untried(error));
      }, timeoutMs);
      if (outer.aborted) onAbort();
      outer.addEventListener('abort', onAbort, { once: true });
      bulkheads[operation === 'createCharge' ? 'creates' : 'others']
        .execute(async () => {
          hasStarted = true;
          try {
            return await call(deadline.signal);
          } catch (error) {
            const { signal } = deadline;
            throw error instanceof PspError ? explained(error, signal) : new Unexpected(error, signal);
          }
        }, deadline.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          outer.removeEventListener('abort', onAbort);
        });
    });
  }

  /** A refusal is a response, and so is a 429: the breaker counts both as a success. */
  async function asked<T>(operation: Operation, work: () => Promise<T>): Promise<{ value: T } | PspError> {
    const breaker = breakerOf(operation);
    const isOpen = () => new PspError('not_sent', openText);
    if (breaker.state === CircuitState.HalfOpen) throw isOpen();
    let wasAsked = false;
    try {
      return await breaker.execute(async () => {
        wasAsked = true;
        try {
          return { value: await work() };
        } catch (error) {
          if (error instanceof PspError && isResponse(error)) return error;
          if (!(error instanceof BulkheadRejectedError)) throw error;
          throw new Untried(new PspError('not_sent', 'too many calls to the provider are queued'));
        }
      });
    } catch (error) {
      if (!wasAsked) throw isOpen();
      throw error;
    }
  }

  function failureOf(operation: Operation, error: unknown): PspError {
    const { isRead } = operations[operation];
    if (error instanceof Untried) return failureOf(operation, error.error);
    if (error instanceof PspError) return isRead ? error.as('unknown') : error;
    const cause = error instanceof Unexpected ? error.cause : error;
    logger.error({ provider, credentialId, operation, error: cause }, 'adapter failed unexpectedly');
    const text = 'the adapter failed unexpectedly';
    if (!(error instanceof Unexpected)) return new PspError('unknown', text);
    const isUnsent = !isRead && !error.hasRequested;
    return new PspError(isUnsent ? 'not_sent' : 'unknown', text, { response: error.response });
  }

  /** As the PSP had it: to whoever asked, a query that failed in any way says nothing. */
  function report(
    operation: Operation,
    error: unknown,
    { failure, milliseconds }: { failure: PspError; milliseconds: number },
  ): void {
    const own = error instanceof Untried ? error.error : error;
    const told = own instanceof PspError ? own : failure;
    const [reason, { message }] = [reasonOf(told), told];
    const kind = told.retryAfterMs === null ? told.failure : 'rate_limited';
    const outcome = callOutcomeOf(kind, reason);
    const isNew = message !== openText;
    calls.callEnded(credentialId, {
      operation,
      outcome,
      milliseconds,
      failure: isNew ? { reason, message } : null,
    });
  }

  /** Inside the breaker, so that what it holds back uses nothing up. */
  async function admitted<T>(
    polling: Polling,
    operation: Operation,
    call: Call<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const refusal = await meter?.admitPolling(polling);
    if (refusal) throw new HeldBack(refusal);
    const prepaid: Call<T> = (bound) => {
      prepay(bound);
      return call(bound);
    };
    return bounded(operation, prepaid, signal);
  }

  async function run<T>(
    operation: Operation,
    call: Call<T>,
    { signal, polling }: { signal: AbortSignal; polling: Polling | undefined },
  ): Promise<T> {
    const startedAt = performance.now();
    const span = tracing.start(`${provider} ${operation}`, {
      kind: 'internal',
      parent: parentOf(signal),
      attributes: {
        'pix.provider': provider,
        'pix.operation': operation,
        'pix.credential.id': credentialId,
      },
    });
    const spanned: Call<T> = (bound) => call(within(bound, span.traceparent));
    const took = () => Math.round(performance.now() - startedAt);
    const end = (outcome: string, reason?: string) => {
      const milliseconds = took();
      span.end({ attributes: { 'pix.outcome': outcome }, ...(reason !== undefined && { failure: reason }) });
      metrics.pspCallEnded(provider, operation, outcome, milliseconds / 1_000);
      logger.debug({ provider, credentialId, operation, outcome, reason, milliseconds }, 'provider called');
    };
    try {
      const answer = await asked(operation, () =>
        polling ? admitted(polling, operation, spanned, signal) : bounded(operation, spanned, signal),
      );
      if (answer instanceof PspError) throw answer;
      end('done');
      calls.callEnded(credentialId, { operation, outcome: 'done', milliseconds: took(), failure: null });
      return answer.value;
    } catch (error) {
      const failure = failureOf(operation, error);
      if (!(error instanceof HeldBack)) report(operation, error, { failure, milliseconds: took() });
      end(failure.retryAfterMs === null ? failure.failure : 'rate_limited', failure.message);
      throw failure;
    }
  }

  function operationsOf(polling?: Polling): PspAdapter {
    const { signIn, findWebhook, registerWebhook, listReceived, listStatement, listCharges } = adapter;
    const start = <T>(operation: Operation, call: Call<T>, signal: AbortSignal): Promise<T> =>
      run(operation, call, { signal, polling });
    return {
      capabilities: adapter.capabilities,
      createCharge: (request, signal) =>
        start('createCharge', (bound) => adapter.createCharge(request, bound), signal),
      findCharge: (name, signal) => start('findCharge', (bound) => adapter.findCharge(name, bound), signal),
      cancelCharge: (name, signal) =>
        start('cancelCharge', (bound) => adapter.cancelCharge(name, bound), signal),
      refundCharge: (request, signal) =>
        start('refundCharge', (bound) => adapter.refundCharge(request, bound), signal),
      findRefund: (request, signal) =>
        start('findRefund', (bound) => adapter.findRefund(request, bound), signal),
      ...(listReceived && {
        listReceived: (window, cursor, signal) =>
          start('listReceived', (bound) => listReceived(window, cursor, bound), signal),
      }),
      ...(listStatement && {
        listStatement: (window, cursor, signal) =>
          start('listStatement', (bound) => listStatement(window, cursor, bound), signal),
      }),
      ...(listCharges && {
        listCharges: (window, cursor, signal) =>
          start('listCharges', (bound) => listCharges(window, cursor, bound), signal),
      }),
      ...(signIn && { signIn: (signal) => start('signIn', signIn, signal) }),
      ...(findWebhook && {
        findWebhook: (url, signal) => start('findWebhook', (bound) => findWebhook(url, bound), signal),
      }),
      ...(registerWebhook && {
        registerWebhook: (url, signal) =>
          start('registerWebhook', (bound) => registerWebhook(url, bound), signal),
      }),
    };
  }

  const polling = {
    look: operationsOf('look'),
    expiry: operationsOf('expiry'),
    sweep: operationsOf('sweep'),
  };
  return { ...operationsOf(), polling };
}
