/** Counts per name. Names whose count is zero are forgotten. */
export interface Tally {
  of(name: string): number;
  /** Returns a function that undoes the increment, once. */
  add(name: string): () => void;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    add(name) {
      counts.set(name, of(name) + 1);
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        const left = of(name) - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      };
    },
  };
}
