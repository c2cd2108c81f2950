import { has, type Modules, set, squaresOf } from './modules.ts';

/** What all symbols of a version have in common, and room for one of them. */
export interface Layout {
  /** The columns with function patterns only. Beyond the symbol is a chessboard, which has no penalty. */
  template: Modules;
  columns: Modules;
  rows: Modules;
  finished: Modules;
  masks: readonly Mask[];
  /**
   * Has three numbers for each step: the bit of the code words to begin with, 32 times the word of a column plus a
   * shift, and a table.
   */
  steps: Uint16Array;
  /**
   * The next 8 bits, as far as a step takes these, are the index: four modules of a column, plus 16 times those of
   * the column to its left.
   */
  tables: Uint8Array;
}

/** What it inverts. */
export interface Mask {
  rows: Modules;
  columns: Modules;
  /** The same rows with format and version information, and with the chessboard, which vanishes. */
  finish: Modules;
}

type Draw = (x: number, y: number, isDark: boolean) => void;

/** ISO/IEC 18004, table 10. */
const inversions: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

export function layoutOf(version: number): Layout {
  const size = 17 + 4 * version;
  const newSquare = squaresOf(size, 5 + 3 * inversions.length);
  const taken = newSquare();
  const template = newSquare();
  const draw: Draw = (x, y, isDark) => {
    set(taken, x, y, true);
    set(template, y, x, isDark);
  };
  drawPatterns(version, size, taken, draw);
  // Light while masks are compared.
  drawInformation(version, size, 0, (x, y) => draw(x, y, false));
  drawChessboard(template);

  const masks = inversions.map((isInverted, mask): Mask => {
    const [rows, columns, finish] = [newSquare(), newSquare(), newSquare()];
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        if (has(taken, x, y) || !isInverted(x, y)) continue;
        set(rows, x, y, true);
        set(columns, y, x, true);
        set(finish, x, y, true);
      }
    }
    drawInformation(version, size, mask, (x, y, isDark) => set(finish, x, y, isDark));
    drawChessboard(finish);
    return { rows, columns, finish };
  });
  return {
    template,
    columns: newSquare(),
    rows: newSquare(),
    finished: newSquare(),
    masks,
    ...stepsOf(taken),
  };
}

/** Goes from the centre outwards: 6.3.3 and 6.3.6. */
const ringsOfFinder = [true, true, false, true, false];
const ringsOfAlignment = [true, false, true];

function drawPatterns(version: number, size: number, taken: Modules, draw: Draw): void {
  const drawRings = (centerX: number, centerY: number, rings: readonly boolean[]) => {
    const radius = rings.length - 1;
    for (let y = Math.max(0, centerY - radius); y <= Math.min(size - 1, centerY + radius); y++) {
      for (let x = Math.max(0, centerX - radius); x <= Math.min(size - 1, centerX + radius); x++) {
        draw(x, y, rings[Math.max(Math.abs(x - centerX), Math.abs(y - centerY))] === true);
      }
    }
  };
  drawRings(3, 3, ringsOfFinder);
  drawRings(size - 4, 3, ringsOfFinder);
  drawRings(3, size - 4, ringsOfFinder);
  const centers = alignmentsOf(version, size);
  for (const y of centers) {
    for (const x of centers) if (!has(taken, x, y)) drawRings(x, y, ringsOfAlignment);
  }
  for (let at = 8; at < size - 8; at++) {
    draw(at, 6, at % 2 === 0);
    draw(6, at, at % 2 === 0);
  }
}

/** Evenly from the last one, by even steps, of which the first one takes the rest: annex E. */
function alignmentsOf(version: number, size: number): readonly number[] {
  if (version === 1) return [];
  const intervals = Math.floor(version / 7) + 1;
  const step = 2 * Math.floor((8 * version + 3 * intervals + 8) / (4 * intervals));
  return Array.from({ length: intervals + 1 }, (_, n) => (n === 0 ? 6 : size - 7 - (intervals - n) * step));
}

/** Error correction M (00) and the mask, twice, and from version 7 the version, twice: 7.9 and 7.10. */
function drawInformation(version: number, size: number, mask: number, draw: Draw): void {
  const format = withRemainder(mask, 0b101_0011_0111) ^ 0b101_0100_0001_0010;
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >> bit) & 1) === 1;
    const fromEdge = Math.min(bit, 14 - bit);
    const pastTiming = fromEdge < 6 ? fromEdge : fromEdge + 1;
    if (bit < 8) {
      draw(8, pastTiming, isDark);
      draw(size - 1 - bit, 8, isDark);
    } else {
      draw(pastTiming, 8, isDark);
      draw(8, size - 15 + bit, isDark);
    }
  }
  draw(8, size - 8, true);

  if (version < 7) return;
  const information = withRemainder(version, 0b1_1111_0010_0101);
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((information >> bit) & 1) === 1;
    const [along, across] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    draw(along, across, isDark);
    draw(across, along, isDark);
  }
}

/** The data, and what a division of polynomials leaves of them: annexes C and D. */
function withRemainder(data: number, divisor: number): number {
  const degree = 31 - Math.clz32(divisor);
  let remainder = data << degree;
  while (remainder >> degree > 0) remainder ^= divisor << (Math.clz32(divisor) - Math.clz32(remainder));
  return (data << degree) | remainder;
}

function drawChessboard(modules: Modules): void {
  const width = 32 * modules.stride;
  for (let y = 0; y < width; y++) {
    for (let x = y < modules.size ? modules.size : 0; x < width; x++) set(modules, x, y, (x + y) % 2 === 1);
  }
}

/** The order of bits in four rows of two columns, whose modules are 0 to 3 on the right and 4 to 7 on the left. */
const upwards = [3, 7, 2, 6, 1, 5, 0, 4];
const downwards = [0, 4, 1, 5, 2, 6, 3, 7];

/** Two columns up, two columns down and so on, from the right: 7.7.3. */
function stepsOf(taken: Modules): Pick<Layout, 'steps' | 'tables'> {
  const { size, stride } = taken;
  const steps: number[] = [];
  const orders: string[] = [];
  let bits = 0;
  for (let column = size - 1; column > 0; column -= 2) {
    // The timing pattern of column 6 is beside the pairs.
    const right = column > 6 ? column : column - 1;
    const isUpwards = column % 4 === 0;
    for (let n = 0; n < size; n += 4) {
      const top = isUpwards ? size - 1 - n : n;
      const free = (isUpwards ? upwards : downwards).filter((module) => {
        const y = top + (module & 3);
        return y < size && !has(taken, right - (module >> 2), y);
      });
      if (free.length === 0) continue;
      const order = free.join('');
      if (!orders.includes(order)) orders.push(order);
      steps.push(bits, 32 * (right * stride + (top >>> 5)) + (top & 31), orders.indexOf(order));
      bits += free.length;
    }
  }
  return { steps: Uint16Array.from(steps), tables: Uint8Array.from(orders.flatMap(tableOf)) };
}

function tableOf(order: string): number[] {
  const places = Array.from(order, Number);
  return Array.from({ length: 256 }, (_, bits) => {
    let modules = 0;
    for (let n = 0; n < places.length; n++) modules |= ((bits >> (7 - n)) & 1) << (places[n] as number);
    return modules;
  });
}
