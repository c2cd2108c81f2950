/** In place of a holder: any of them may have changed. */
export const allCallers = '*';

/** Tells every node that a key changed, or what a person may, so that none goes by what it knew before. */
export interface CallerChanges {
  /** `holder`: a key's id, or what stands for a person. */
  publish(holder: string): Promise<void>;
  /** Calls with `allCallers` when changes may have been missed. */
  subscribe(onChange: (holder: string) => void): void;
}
