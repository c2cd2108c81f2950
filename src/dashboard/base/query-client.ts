import { QueryClient } from '@tanstack/react-query';
import { ServiceError } from '../api/service-error.ts';

/**
 * Only transient failures are retried. Requests fail at once when the browser is offline: a mutation that is queued
 * would run when nobody expects it.
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
          failures < 2 &&
          error instanceof ServiceError &&
          (error.code === 'OFFLINE' || error.statusCode >= 500),
      },
    },
  });
