/** How many there are of each name, and no memory of those of which there are none. */
export interface Tally {
  of(name: string): number;
  /** One more. Returns how to take it away again, which works once. */
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
