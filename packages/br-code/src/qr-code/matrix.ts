import { type Layout, layoutOf, type Mask } from './layout.ts';
import { type Modules, transpose } from './modules.ts';
import { penaltyOfBalance, penaltyOfColumns, penaltyOfSquares } from './penalty.ts';
import { codeWordsOf } from './code-words.ts';

/** Keeps those that were needed, by version. */
const layouts: Layout[] = [];

/** The QR code of the UTF-8 bytes of `text`, with error correction M. The next code of its size overwrites it. */
export function modulesOf(text: string): Modules {
  const { version, codeWords } = codeWordsOf(text);
  const layout = (layouts[version] ??= layoutOf(version));
  const { columns, rows, finished } = layout;
  place(codeWords, layout);
  transpose(columns, rows);
  const { finish } = bestMaskOf(layout);
  const { words } = rows;
  for (let at = 0; at < rows.size * rows.stride; at++) {
    words[finished.start + at] = (words[rows.start + at] as number) ^ (words[finish.start + at] as number);
  }
  return finished;
}

/** Up to 8 bits at a time, which fill four rows of two columns. */
function place(codeWords: Uint8Array, { template, columns, steps, tables }: Layout): void {
  const { words, stride, start } = columns;
  words.copyWithin(start, template.start, template.start + 32 * stride * stride);
  for (let step = 0; step < steps.length; step += 3) {
    const bit = steps[step] as number;
    const target = steps[step + 1] as number;
    const table = steps[step + 2] as number;
    const twoWords = ((codeWords[bit >>> 3] as number) << 8) | (codeWords[(bit >>> 3) + 1] as number);
    const modules = tables[256 * table + ((twoWords >>> (8 - (bit & 7))) & 0xff)] as number;
    const right = start + (target >>> 5);
    const left = right - stride;
    words[right] = (words[right] as number) | ((modules & 0xf) << target);
    words[left] = (words[left] as number) | ((modules >>> 4) << target);
  }
}

/** The first of those with the lowest penalty: ISO/IEC 18004, 7.8.3. */
function bestMaskOf({ masks, rows, columns }: Layout): Mask {
  let best = masks[0] as Mask;
  let lowest = Infinity;
  for (const mask of masks) {
    let penalty = penaltyOfSquares(rows, mask.rows) + penaltyOfColumns(rows, mask.rows, lowest);
    if (penalty < lowest) penalty += penaltyOfColumns(columns, mask.columns, lowest - penalty);
    if (penalty < lowest) penalty += penaltyOfBalance(rows, mask.rows);
    if (penalty < lowest) {
      lowest = penalty;
      best = mask;
    }
  }
  return best;
}
