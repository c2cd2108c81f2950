import { useHistoryState } from 'wouter/use-browser-location';

/** A link from a list to a payment leaves it in the history. */
export interface ListState {
  /** The query string of the list. */
  list: string;
  /** The payments that the list had loaded, in its order. */
  ids: readonly string[];
}

const isListState = (state: unknown): state is ListState =>
  typeof state === 'object' &&
  state !== null &&
  'list' in state &&
  typeof state.list === 'string' &&
  'ids' in state &&
  Array.isArray(state.ids);

/** Finds the list that the payment was opened from; undefined for one that was opened otherwise. */
export function useListState(): ListState | undefined {
  const state = useHistoryState<unknown>();
  return isListState(state) ? state : undefined;
}

/** Leads to the list that the payment was opened from, with its search and filters, or to all payments. */
export function useListPath(): string {
  const list = useListState()?.list;
  return list ? `/payments?${list}` : '/payments';
}
