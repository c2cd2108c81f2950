import {
  focusManager,
  type InvalidateOptions,
  type QueryClient,
  type QueryFilters,
} from '@tanstack/react-query';

/** Refetches active queries now, or once the window has focus again. */
export const refetchActive = (
  client: QueryClient,
  which: QueryFilters,
  options?: InvalidateOptions,
): Promise<void> =>
  client.invalidateQueries({ ...which, refetchType: focusManager.isFocused() ? 'active' : 'none' }, options);
