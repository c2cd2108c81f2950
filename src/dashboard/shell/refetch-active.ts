import {
  focusManager,
  type InvalidateOptions,
  type QueryClient,
  type QueryFilters,
} from '@tanstack/react-query';

/** What is shown is read again: at once, or as soon as somebody looks at it. */
export const readAgain = (
  client: QueryClient,
  which: QueryFilters,
  options?: InvalidateOptions,
): Promise<void> =>
  client.invalidateQueries({ ...which, refetchType: focusManager.isFocused() ? 'active' : 'none' }, options);
