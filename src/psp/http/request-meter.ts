import { PspError } from '../../core/providers/rules/psp-error.ts';
import {
  type CountedRequests,
  type Polling,
  pollingLimit,
  type RequestCounts,
  type RequestQuota,
} from '../../core/providers/rules/request-quota.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';

/** Watches over the requests of one account, so that polling leaves room for creates and confirmations. */
export interface RequestMeter {
  /** Counts a request that is made in any case. */
  count(method: string): void;
  /**
   * Asks whether an operation of polling may begin, and counts its first request if it may. Resolves to the reason why it has
   * to wait; undefined if it need not.
   */
  admitPolling(polling: Polling): Promise<PspError | undefined>;
  /** Called when the PSP has returned 429. */
  refused(retryAfterMs: number): void;
  /** How much of the share of polling is used, as far as known: at 1 it stops. */
  scarcity(): number;
}

export interface MeteredAccount {
  provider: string;
  credentialId: string;
  quota: RequestQuota | undefined;
}

interface Dependencies {
  counts: RequestCounts;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'pspRefusedRequest' | 'pspRequestsLeft'>;
  /** Tells the other nodes. */
  onPause: (credentialId: string, until: Date) => void;
}

/** Requests that are under way together are refused together, and should announce one pause. */
const precisionMs = 1_000;
/** In windows up to this long there is nothing to save up for: requests count as scarce once three quarters are used. */
const longestShortSeconds = 600;

/** Keep a meter for as long as the process runs, because a change of the settings gives no new requests. */
export function createRequestMeter(
  { provider, credentialId, quota }: MeteredAccount,
  { counts, now, logger, metrics, onPause }: Dependencies,
): RequestMeter {
  let pausedUntilMs = 0;
  let scarcity = 0;

  function note(of: RequestQuota, { used }: CountedRequests): void {
    const share = used / pollingLimit(of, 'look');
    scarcity = of.windowSeconds > longestShortSeconds ? share : Math.max(4 * share - 3, 0);
    metrics.pspRequestsLeft(provider, credentialId, Math.max(of.requests - used, 0));
  }

  async function takeForPolling(of: RequestQuota, polling: Polling): Promise<PspError | undefined> {
    const taken = await counts.take(credentialId, of.windowSeconds, pollingLimit(of, polling));
    const { isGranted, msUntilFree } = taken;
    note(of, taken);
    return isGranted ? undefined : wait('the requests for polling are used up', msUntilFree);
  }

  return {
    count(method) {
      if (!quota || (quota.method ?? method) !== method) return;
      void counts.add(credentialId, quota.windowSeconds, 1).then((counted) => {
        note(quota, counted);
      });
    },

    async admitPolling(polling) {
      const pauseMs = pausedUntilMs - now().getTime();
      if (pauseMs > 0) return wait('polling is paused: the provider received too many requests', pauseMs);
      return quota && takeForPolling(quota, polling);
    },

    refused(retryAfterMs) {
      metrics.pspRefusedRequest(provider, credentialId);
      const isNew = pausedUntilMs <= now().getTime();
      const untilMs = now().getTime() + retryAfterMs;
      if (untilMs < pausedUntilMs + precisionMs) return;
      pausedUntilMs = untilMs;
      const until = new Date(untilMs);
      onPause(credentialId, until);
      if (!isNew) return;
      logger.warn(
        { provider, credentialId, until },
        'polling paused: too many requests for the provider (429)',
      );
    },

    scarcity: () => scarcity,
  };
}

const wait = (message: string, ms: number): PspError =>
  new PspError('rate_limited', message, { retryAfterMs: Math.max(Math.ceil(ms), 1) });
