export interface Random {
  /** Both included. */
  between(least: number, most: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
  /** True in this share of the cases. */
  happens(share: number): boolean;
}

/** Mulberry32: the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const random: Random = {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    oneOf: <Item>(items: readonly Item[]) => items[random.between(0, items.length - 1)] as Item,
    happens: (share) => next() < share,
  };
  return random;
}
