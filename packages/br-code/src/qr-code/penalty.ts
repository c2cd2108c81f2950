import type { Modules } from './modules.ts';

const rowsOfLargest = 177;
/**
 * A row of a column is the index: of finders that end there, and then of four light modules that do. The 7 before the
 * first row stay empty.
 */
const lightAt = 7 + rowsOfLargest;
const seen = new Int32Array(2 * lightAt);

/**
 * Counts runs in columns (N1), and a finder's 1 : 1 : 3 : 1 : 1 above or below four light modules (N3), in 32 columns
 * at once: ISO/IEC 18004, 7.8.3.1. With the columns as rows it is the penalty of rows. Beyond the limit it need not
 * be exact.
 */
export function penaltyOfColumns(
  { words, size, stride, start }: Modules,
  mask: Modules,
  limit: number,
): number {
  let inRuns = 0;
  let likeFinders = 0;
  for (let column = 0; column < stride && inRuns + 40 * likeFinders < limit; column++) {
    let at = start + column;
    let maskAt = mask.start + column;
    let previous = (words[at] as number) ^ (words[maskAt] as number);
    // The modules that were as those of the row before, one row ago, two and so on.
    let alike1 = 0;
    let alike2 = 0;
    let alike3 = 0;
    let alike4 = 0;
    let alike5 = 0;
    for (let y = 1; y < size; y++) {
      at = (at + stride) | 0;
      maskAt = (maskAt + stride) | 0;
      const row = (words[at] as number) ^ (words[maskAt] as number);
      const alike = ~(previous ^ row);
      const last = alike & alike1;
      const middle = alike2 & alike3;
      // A run of five or more has a point for each three in it, here for the three that ended two rows ago.
      inRuns = (inRuns + popCount(middle & (last | (alike1 & alike4) | (alike4 & alike5)))) | 0;

      const finder = y < 6 ? 0 : row & middle & ~(alike | alike1 | alike4 | alike5);
      const light = ~row & last & alike2;
      seen[y + 7] = finder;
      seen[y + 7 + lightAt] = light;
      // Seven rows ago, and four rows ago.
      const below = finder & (seen[y + lightAt] as number);
      const above = light & (seen[y + 3] as number);
      if ((below | above) !== 0) likeFinders = (likeFinders + popCount(below) + popCount(above)) | 0;

      previous = row;
      alike5 = alike4;
      alike4 = alike3;
      alike3 = alike2;
      alike2 = alike1;
      alike1 = alike;
    }
    const middle = alike2 & alike3 & alike4;
    inRuns += popCount(middle & (alike1 | alike5)) + popCount(middle & alike1);
  }
  return inRuns + 40 * likeFinders;
}

/** Counts four alike in a square (N2). */
export function penaltyOfSquares({ words, size, stride, start }: Modules, mask: Modules): number {
  let squares = 0;
  for (let column = 0; column < stride; column++) {
    let at = start + column;
    let maskAt = mask.start + column;
    let previous = 0;
    let wereUnlike = ~0;
    for (let y = 0; y < size; y++) {
      const row = (words[at] as number) ^ (words[maskAt] as number);
      const right = (words[at + 1] as number) ^ (words[maskAt + 1] as number);
      const areUnlike = row ^ ((row >>> 1) | (right << 31));
      squares = (squares + popCount(~(areUnlike | wereUnlike | (previous ^ row)))) | 0;
      previous = row;
      wereUnlike = areUnlike;
      at = (at + stride) | 0;
      maskAt = (maskAt + stride) | 0;
    }
  }
  return 3 * squares;
}

/** Counts how far the dark modules are from a half, by steps of 5 % (N4). */
export function penaltyOfBalance({ words, size, stride, start }: Modules, mask: Modules): number {
  let dark = 0;
  for (let at = 0; at < size * stride; at++) {
    dark = (dark + popCount((words[start + at] as number) ^ (words[mask.start + at] as number))) | 0;
  }
  // The chessboard beside the symbol has one dark module more than light ones.
  const difference = Math.abs(2 * dark - 32 * stride * size - 1);
  return 10 * Math.max(0, Math.ceil((10 * difference) / (size * size)) - 1);
}

function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  // Below 2 ** 53, so that the product is exact.
  return (((bits + (bits >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
