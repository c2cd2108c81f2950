/** Published instead of a holder when any caller may have changed. */
export const allCallers = '*';

/** Tells every node that a key or a member's permissions changed, so that none keeps using a cached copy. */
export interface CallerChanges {
  /** `holder`: a key's id, or the identifier of a person. */
  publish(holder: string): Promise<void>;
  /** Receives `allCallers` when changes may have been missed. */
  subscribe(onChange: (holder: string) => void): void;
}
