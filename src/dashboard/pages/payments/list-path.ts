import { useHistoryState } from 'wouter/use-browser-location';

/** History state of a link from a list to a payment: the query string of the list. */
export interface ListState {
  list: string;
}

const isListState = (state: unknown): state is ListState =>
  typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string';

/** The list that the payment was opened from, with its search and filters, or all payments. */
export function useListPath(): string {
  const state = useHistoryState<unknown>();
  return isListState(state) && state.list ? `/payments?${state.list}` : '/payments';
}
