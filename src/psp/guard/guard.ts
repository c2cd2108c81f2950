import { type CallObserver, unobserved } from '../../core/health/rules/calls.ts';
import { mapAdapter, type Operation } from '../../core/providers/rules/map-adapter.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { Polling } from '../../core/providers/rules/request-quota.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { signalInTrace } from '../../observability/trace.ts';
import { noTracing, type Tracing } from '../../observability/tracing.ts';
import { prepay } from '../http/operation-budget.ts';
import type { RequestMeter } from '../http/request-meter.ts';
import { type Bounds, createBounded } from './bounds.ts';
import { type BreakerLimits, createBreakers } from './breakers.ts';
import { reportCall } from './call-report.ts';
import { HeldBack, Unexpected, Untried } from './failures.ts';
import { type Call, operations } from './operations.ts';

export type GuardLimits = Bounds & BreakerLimits;

export const defaultLimits: GuardLimits = { concurrency: 32, queue: 64, failuresToOpen: 5, openMs: 10_000 };

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
  /** The same adapter for requests that give way to all others: they fail while the PSP's quota has no room for them. */
  readonly polling: Readonly<Record<Polling, PspAdapter>>;
}

/**
 * Adds a timeout, bounded concurrency and a circuit breaker per operation to the adapter of one credential. Fails only with a
 * PspError. Keep the guard for as long as the settings stay the same.
 */
export function guard(adapter: PspAdapter, options: GuardOptions): GuardedAdapter {
  const { provider, credentialId, logger, metrics, meter, tracing = noTracing, calls = unobserved } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const bounded = createBounded(limits);
  const breakers = createBreakers(limits, {
    opened(operation) {
      reportOpen();
      logger.warn(
        { provider, credentialId, operation },
        'circuit breaker opened: the provider keeps failing',
      );
    },
    closed(operation) {
      reportOpen();
      logger.info(
        { provider, credentialId, operation },
        'circuit breaker closed: the provider responds again',
      );
    },
  });

  function reportOpen(): void {
    const open = breakers.openCount();
    metrics.pspBreakersOpen(provider, credentialId, open);
    calls.breakersOpen(credentialId, open);
  }
  // Replaces what was reported for the credential's earlier settings.
  reportOpen();

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

  /** Runs inside the breaker, so that a call it holds back uses up no quota. */
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
    const report = reportCall({ provider, credentialId, logger, metrics, tracing, calls }, operation, signal);
    const traced: Call<T> = (bound) => call(signalInTrace(bound, report.traceparent));
    try {
      const outcome = await breakers.run(operation, () =>
        polling ? admitted(polling, operation, traced, signal) : bounded(operation, traced, signal),
      );
      if (outcome instanceof PspError) throw outcome;
      report.done();
      return outcome.value;
    } catch (error) {
      const failure = failureOf(operation, error);
      report.failed(error, failure);
      throw failure;
    }
  }

  const operationsOf = (polling?: Polling): PspAdapter =>
    mapAdapter(adapter, ({ operation, signal, make }) => run(operation, make, { signal, polling }));

  const polling = {
    look: operationsOf('look'),
    expiry: operationsOf('expiry'),
    sweep: operationsOf('sweep'),
  };
  return { ...operationsOf(), polling };
}
