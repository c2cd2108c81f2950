import type { Modules } from './modules.ts';

const quietZoneInModules = 4;
/** Four 1-bit pixels are half a byte, so that two modules fill a byte, and each line is drawn four times. */
const pixelsPerModule = 4;
const repeats = pixelsPerModule - 1;

/** Two modules, of which the left one counts 1 if it is dark: their pixels, and the Huffman code of these. */
const bytesOfPairs = [0xff, 0x0f, 0xf0, 0x00];
const codesOfPairs = [0b01, 0b10, 0b011, 0b00];
const lengthsOfPairs = [2, 2, 3, 2];
/** Each line begins with a byte for its filter, which is none and has the code of a dark pair, and the quiet zone. */
const codeOfBeginning = 0b01_01_00;
const lengthOfBeginning = 6;
/** What the quiet zone has after the last group of modules; half of it is beyond the picture. */
const codeOfLight = 0b01;
const lengthOfLight = 2;
const codeOfEnd = 0b0111;
const codeOfRepeats = 0b1111;
const otherLength = 4;

/** 258 has a symbol of its own. */
const maximumMatch = 257;
const adlerModulus = 65_521;
/** The bytes of pairs are its multiples. */
const unit = 0x0f;
const light = 0xff / unit;

/**
 * Modules are the index, the leftmost one lowest: holds their code in 12 bits, its length in 4, the sum of their
 * bytes in 7, and the sum of its sums.
 */
const groupsOfFour = groupsOf(4);
const groupsOfEight = groupsOf(8);

function groupsOf(width: number): Int32Array {
  return Int32Array.from({ length: 1 << width }, (_, modules) => {
    let code = 0;
    let length = 0;
    let sum = 0;
    let sumOfSums = 0;
    for (let x = 0; x < width; x += 2) {
      const pair = (modules >> x) & 3;
      code |= (codesOfPairs[pair] as number) << length;
      length += lengthsOfPairs[pair] as number;
      sum += (bytesOfPairs[pair] as number) / unit;
      sumOfSums += sum;
    }
    return code | (length << 12) | (sum << 16) | (sumOfSums << 23);
  });
}

export const pixelsPerSide = ({ size }: Modules): number => (size + 2 * quietZoneInModules) * pixelsPerModule;

/**
 * Writes the pixels of a 1-bit greyscale PNG to `bytes` and returns where they end: one block of DEFLATE (RFC 1951) in the format of
 * zlib (RFC 1950). Its Huffman codes are for the four bytes that there are and for the repeats of a line, so that nothing has to be
 * searched: a fraction of zlib's time, and a seventh smaller.
 */
export function writePixels(modules: Modules, bytes: Uint8Array, start: number): number {
  const { size, stride, words } = modules;
  const frame = (frames[size] ??= frameOf(size));
  const { head, lineLength, repeat, repeatLength, matches } = frame;
  bytes.set(head, start);
  const out = new BitWriter(bytes, start + head.length);
  out.write(frame.tail, frame.tailLength);
  let adler = 1;
  let adlerOfAdler = 0;
  for (let y = -quietZoneInModules; y < size + quietZoneInModules; y++) {
    // The row after the last one is light as well.
    const row = modules.start + stride * (y < 0 || y > size ? size : y);
    out.write(codeOfBeginning, lengthOfBeginning);
    let sum = light + light;
    let sumOfSums = light + sum;
    for (let x = 0; x < size;) {
      const width = x + 8 <= size ? 8 : 4;
      const groups = width === 8 ? groupsOfEight : groupsOfFour;
      const group = groups[((words[row + (x >>> 5)] as number) >>> x) & (groups.length - 1)] as number;
      out.write(group & 0xfff, (group >>> 12) & 0xf);
      sumOfSums += (width >> 1) * sum + (group >>> 23);
      sum += (group >>> 16) & 0x7f;
      x += width;
    }
    out.write(codeOfLight, lengthOfLight);
    sum += light;
    sumOfSums += sum;
    for (let n = 0; n < matches; n++) out.write(repeat, repeatLength);
    for (let n = 0; n < pixelsPerModule; n++) {
      adlerOfAdler += lineLength * adler + unit * sumOfSums;
      adler += unit * sum;
    }
    adlerOfAdler %= adlerModulus;
    adler %= adlerModulus;
  }
  out.write(codeOfEnd, otherLength);
  return out.end((adlerOfAdler << 16) | adler);
}

/** What all pictures of a size have in common. */
interface Frame {
  /** The header of zlib and the tables of Huffman codes, and those of their bits that fill no byte. */
  head: Uint8Array;
  tail: number;
  tailLength: number;
  lineLength: number;
  /** What repeats a line, if written for each match. */
  repeat: number;
  repeatLength: number;
  matches: number;
}

/** Keeps those that were needed, by the size in modules. */
const frames: Frame[] = [];

function frameOf(size: number): Frame {
  const lineLength = 1 + Math.ceil((size + 2 * quietZoneInModules) / 2);
  const matches = repeats * lineLength > maximumMatch ? repeats : 1;
  const match = symbolOf((repeats * lineLength) / matches - 3, 2);
  const distance = symbolOf(lineLength - 1, 1);
  const bytes = new Uint8Array(128);
  const out = new BitWriter(bytes, 0);
  out.write(0x0178, 16);
  writeTables(out, match.symbol, distance.symbol);
  // The only distance there is takes a bit, which is 0.
  const distanceAt = otherLength + match.length + 1;
  return {
    head: bytes.subarray(0, out.at),
    tail: out.pending,
    tailLength: out.count,
    lineLength,
    repeat: codeOfRepeats | (match.bits << otherLength) | (distance.bits << distanceAt),
    repeatLength: distanceAt + distance.length,
    matches,
  };
}

/** The symbol has the highest bits of a distance less 1 or a length less 3; the rest is written after it. */
function symbolOf(value: number, highBits: number): { symbol: number; bits: number; length: number } {
  const length = Math.max(0, 31 - highBits - Math.clz32(value));
  return { symbol: (length << highBits) + (value >> length), bits: value & ((1 << length) - 1), length };
}

/** The alphabet in which lengths of codes are written: themselves, and 18 for 11 to 138 zeros. Here each takes 3 bits. */
const lengthAlphabet = [0, 1, 2, 3, 4, 16, 17, 18];
const orderOfLengthAlphabet = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
const codesOfLengthAlphabet = [0b000, 0b100, 0b010, 0b110, 0b001, 0b101, 0b011, 0b111];
const zeros = 18;

/** The lengths of the Huffman codes, from which these follow: RFC 1951, 3.2.7. */
function writeTables(out: BitWriter, match: number, distance: number): void {
  const write = (symbol: number) => {
    out.write(codesOfLengthAlphabet[lengthAlphabet.indexOf(symbol)] as number, 3);
  };
  const isLastBlock = 1;
  const isDynamic = 2;
  out.write(isLastBlock + (isDynamic << 1), 3);
  out.write(match + 1, 5);
  out.write(distance, 5);
  out.write(orderOfLengthAlphabet.length - 4, 4);
  for (const symbol of orderOfLengthAlphabet) out.write(lengthAlphabet.includes(symbol) ? 3 : 0, 3);

  let at = 0;
  const writeLength = (symbol: number, length: number) => {
    while (at < symbol) {
      const skipped = Math.min(symbol - at, 138);
      if (skipped < 11) write(0);
      else {
        write(zeros);
        out.write(skipped - 11, 7);
      }
      at += skipped < 11 ? 1 : skipped;
    }
    write(length);
    at += 1;
  };
  bytesOfPairs
    .toSorted((a, b) => a - b)
    .forEach((byte) => writeLength(byte, lengthsOfPairs[bytesOfPairs.indexOf(byte)] as number));
  writeLength(256, otherLength);
  const firstDistance = 258 + match;
  writeLength(firstDistance - 1, otherLength);
  writeLength(firstDistance + distance, 1);
}

/** The lowest bit of a byte comes first. */
class BitWriter {
  readonly bytes: Uint8Array;
  at: number;
  pending = 0;
  count = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** The lowest `length` bits of `bits`, up to 16. */
  write(bits: number, length: number): void {
    const pending = this.pending | (bits << this.count);
    const count = this.count + length;
    // Two bytes without a question whether they are full; what follows overwrites them if not.
    this.bytes[this.at] = pending;
    this.bytes[this.at + 1] = pending >>> 8;
    this.at += count >>> 3;
    this.pending = pending >>> (count & 24);
    this.count = count & 7;
  }

  /** Where what was written ends, up to a whole byte, and `checksum` after it. */
  end(checksum: number): number {
    if (this.count > 0) this.write(0, 8 - this.count);
    for (let shift = 24; shift >= 0; shift -= 8) this.write((checksum >>> shift) & 0xff, 8);
    return this.at;
  }
}
