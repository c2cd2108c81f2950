/** The list with the entry at `from` moved one place up (-1) or down (1). */
export function moved<Entry>(list: readonly Entry[], from: number, by: -1 | 1): Entry[] {
  return list.toSpliced(from, 1).toSpliced(from + by, 0, ...list.slice(from, from + 1));
}
