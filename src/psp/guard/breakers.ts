import {
  BulkheadRejectedError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
} from 'cockatiel';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { BreakerOpen, isResponse, Untried } from './failures.ts';
import type { Operation } from '../../core/providers/rules/map-adapter.ts';

export interface BreakerLimits {
  /** Consecutive failures that open an operation's circuit breaker, and how long it stays open. */
  failuresToOpen: number;
  openMs: number;
}

interface BreakerEvents {
  opened(operation: Operation): void;
  closed(operation: Operation): void;
}

export interface Breakers {
  /** How many are not closed. */
  openCount(): number;
  /** Returns a refusal instead of throwing it, because the breaker must count it as a success. */
  run<T>(operation: Operation, work: () => Promise<T>): Promise<{ value: T } | PspError>;
}

/** A circuit breaker for each operation of one credential. */
export function createBreakers(limits: BreakerLimits, events: BreakerEvents): Breakers {
  const breakers = new Map<Operation, CircuitBreakerPolicy>();

  function breakerOf(operation: Operation): CircuitBreakerPolicy {
    const known = breakers.get(operation);
    if (known) return known;
    // An aborted trial call does not prove that the PSP has recovered, so it counts as a failure while the breaker is half
    // open.
    const counts = (error: Error) => !(error instanceof Untried) || breaker.state === CircuitState.HalfOpen;
    const breaker = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: limits.openMs,
      breaker: new ConsecutiveBreaker(limits.failuresToOpen),
    });
    breaker.onBreak(() => {
      events.opened(operation);
    });
    breaker.onReset(() => {
      events.closed(operation);
    });
    breakers.set(operation, breaker);
    return breaker;
  }

  return {
    openCount: () => [...breakers.values()].filter(({ state }) => state !== CircuitState.Closed).length,

    async run(operation, work) {
      const breaker = breakerOf(operation);
      if (breaker.state === CircuitState.HalfOpen) throw new BreakerOpen();
      let wasTried = false;
      try {
        return await breaker.execute(async () => {
          wasTried = true;
          try {
            return { value: await work() };
          } catch (error) {
            if (error instanceof PspError && isResponse(error)) return error;
            if (!(error instanceof BulkheadRejectedError)) throw error;
            throw new Untried(new PspError('not_sent', 'too many calls to the provider are queued'));
          }
        });
      } catch (error) {
        if (!wasTried) throw new BreakerOpen();
        throw error;
      }
    },
  };
}
