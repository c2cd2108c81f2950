import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isServiceReachable } from '../../api/request.ts';
import { ServiceError } from '../../api/service-error.ts';
import { refetchActive } from '../../base/refetch-active.ts';

/** `slow`: something was asked long ago and not answered; `lost`: there is no answer at all. */
export type ServiceState = 'well' | 'slow' | 'lost';

const slowAfterMs = 10_000;
const lookEveryMs = 1_000;
const probeEveryMs = 15_000;
const probeEveryMsWhileLost = 3_000;

/** Tells whether a request is under way for longer than people wait without a word. */
function watchRequests(client: QueryClient): () => boolean {
  let since = new Map<string, number>();
  return () => {
    const now = performance.now();
    const running = client.getQueryCache().findAll({ fetchStatus: 'fetching' });
    since = new Map(running.map(({ queryHash }) => [queryHash, since.get(queryHash) ?? now]));
    const submitted = client.getMutationCache().findAll({ status: 'pending' });
    return (
      [...since.values()].some((start) => now - start > slowAfterMs) ||
      submitted.some(({ state }) => Date.now() - state.submittedAt > slowAfterMs)
    );
  };
}

const hasFailed = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(
      ({ state: { fetchFailureReason } }) =>
        fetchFailureReason instanceof ServiceError && fetchFailureReason.code === 'OFFLINE',
    );

/** Once the service answers again, everything shown is read again. */
export function useServiceState(): ServiceState {
  const client = useQueryClient();
  const [isLost, setIsLost] = useState(false);
  const [isSlow, setIsSlow] = useState(false);

  useEffect(() => {
    const isWaiting = watchRequests(client);
    const timer = setInterval(() => {
      setIsSlow(isWaiting());
      if (hasFailed(client)) setIsLost(true);
    }, lookEveryMs);
    return () => {
      clearInterval(timer);
    };
  }, [client]);

  useEffect(() => {
    const probe = async () => {
      if (document.hidden) return;
      const isReachable = await isServiceReachable();
      setIsLost(!isReachable);
      if (isReachable && isLost) void refetchActive(client, {});
    };
    const timer = setInterval(() => void probe(), isLost ? probeEveryMsWhileLost : probeEveryMs);
    return () => {
      clearInterval(timer);
    };
  }, [client, isLost]);

  return isLost ? 'lost' : isSlow ? 'slow' : 'well';
}
