import { type CallObserver, callOutcomeOf } from '../../core/health/rules/calls.ts';
import { PspError, reasonOf } from '../../core/providers/rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { parentOf } from '../../observability/trace.ts';
import type { Tracing } from '../../observability/tracing.ts';
import { BreakerOpen, HeldBack, Untried } from './failures.ts';
import type { Operation } from '../../core/providers/rules/map-adapter.ts';

interface Reporters {
  provider: string;
  credentialId: string;
  logger: Logger;
  metrics: Pick<Metrics, 'pspCallEnded'>;
  tracing: Tracing;
  calls: CallObserver;
}

/** Reports one call to traces, metrics, the log and the provider's health. */
export interface CallReport {
  /** For the requests of the call. */
  readonly traceparent: string | undefined;
  done(): void;
  /** `failure` is what the caller is told; a failed query, for instance, says nothing about its subject. */
  failed(error: unknown, failure: PspError): void;
}

const outcomeOf = ({ failure, retryAfterMs }: PspError) => (retryAfterMs === null ? failure : 'rate_limited');

/** The failure as the PSP reported it. */
function asReported(error: unknown, failure: PspError): PspError {
  const reported = error instanceof Untried ? error.error : error;
  return reported instanceof PspError ? reported : failure;
}

export function reportCall(reporters: Reporters, operation: Operation, signal: AbortSignal): CallReport {
  const { provider, credentialId, logger, metrics, tracing, calls } = reporters;
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

  function end(outcome: string, reason?: string): number {
    const milliseconds = Math.round(performance.now() - startedAt);
    span.end({ attributes: { 'pix.outcome': outcome }, ...(reason !== undefined && { failure: reason }) });
    metrics.pspCallEnded({ provider, credentialId }, operation, outcome, milliseconds / 1_000);
    logger.debug({ provider, credentialId, operation, outcome, reason, milliseconds }, 'provider called');
    return milliseconds;
  }

  return {
    traceparent: span.traceparent,

    done() {
      const milliseconds = end('done');
      calls.callEnded(credentialId, { operation, outcome: 'done', milliseconds, failure: null });
    },

    failed(error, failure) {
      const milliseconds = end(outcomeOf(failure), failure.message);
      if (error instanceof HeldBack) return;
      const reported = asReported(error, failure);
      const reason = reasonOf(reported);
      calls.callEnded(credentialId, {
        operation,
        outcome: callOutcomeOf(outcomeOf(reported), reason),
        milliseconds,
        // A call that an open breaker refused is no failure of its own: what opened the breaker has been reported.
        failure: error instanceof BreakerOpen ? null : { reason, message: reported.message },
      });
    },
  };
}
