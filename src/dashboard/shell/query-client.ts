import { QueryClient } from '@tanstack/react-query';
import { Refusal } from '../api/service-error.ts';

/**
 * What the service refuses it refuses again; only what may have been chance is asked once more.
 * A browser that takes itself for offline fails at once: what waited would be done when nobody expects it.
 */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < 2 && error instanceof Refusal && (error.code === 'OFFLINE' || error.statusCode >= 500),
      },
    },
  });
