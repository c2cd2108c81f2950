import { useHistoryState } from 'wouter/use-browser-location';

/** Goes with the link from a list to one of its payments: the query of the list's address. */
export interface WayBack {
  list: string;
}

const isWayBack = (state: unknown): state is WayBack =>
  typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string';

/** The list that a payment was opened from, with its search and filters; all payments for who came another way. */
export function useListPath(): string {
  const state = useHistoryState<unknown>();
  return isWayBack(state) && state.list ? `/payments?${state.list}` : '/payments';
}
