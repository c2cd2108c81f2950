/** Published instead of a holder when any caller may have changed. */
export const allCallers = '*';

/** Tells every node that a key, a member's permissions or an organization's settings changed, so that none keeps using a cached copy. */
export interface CallerChanges {
  /** `holder`: the id of a key or an organization, or the identifier of a person. */
  publish(holder: string): Promise<void>;
  /** Receives `allCallers` when changes may have been missed. */
  subscribe(onChange: (holder: string) => void): void;
}
