/** A square of bits, 1 where a module is dark, in whole words and therefore with some beyond it. */
export interface Modules {
  readonly size: number;
  /** Words of 32 modules per row, of which the lowest bit is the leftmost module. */
  readonly stride: number;
  /** Shared with other squares: a loop that reads several of these then checks a single array. */
  readonly words: Int32Array;
  /** The first row's place in `words`. */
  readonly start: number;
}

/** Makes up to `count` squares. */
export function squaresOf(size: number, count: number): () => Modules {
  const stride = (size + 31) >>> 5;
  const length = 32 * stride * stride;
  const words = new Int32Array(count * length);
  let made = 0;
  return () => ({ size, stride, words, start: length * made++ });
}

export function has({ words, start, stride }: Modules, x: number, y: number): boolean {
  return (((words[start + y * stride + (x >>> 5)] as number) >>> x) & 1) === 1;
}

export function set({ words, start, stride }: Modules, x: number, y: number, isDark: boolean): void {
  const at = start + y * stride + (x >>> 5);
  const others = (words[at] as number) & ~(1 << x);
  words[at] = isDark ? others | (1 << x) : others;
}

/** Each block of 32 by 32 goes to its place, where its quarters change places, and so on within these. */
export function transpose({ words, start, stride }: Modules, into: Modules): void {
  for (let block = 0; block < stride * stride; block++) {
    const column = block % stride;
    const row = (block - column) / stride;
    const from = start + 32 * row * stride + column;
    const to = into.start + 32 * column * stride + row;
    for (let n = 0; n < 32 * stride; n += stride) words[to + n] = words[from + n] as number;
    for (let half = 16, low = 0xffff; half > 0; half >>>= 1, low ^= low << half) {
      for (let n = 0; n < 32; n = (n + half + 1) & ~half) {
        const upper = to + n * stride;
        const lower = upper + half * stride;
        const swapped = (((words[upper] as number) >>> half) ^ (words[lower] as number)) & low;
        words[lower] = (words[lower] as number) ^ swapped;
        words[upper] = (words[upper] as number) ^ (swapped << half);
      }
    }
  }
}
