/** Four 1-bit pixels are half a byte, so that two modules fill a byte, and each line is drawn four times. */
export const pixelsPerModule = 4;
const repeats = pixelsPerModule - 1;

/** Two modules, of which the left one counts 2 if it is dark: their pixels, and the Huffman code of these. */
const bytesOfPairs = [0xff, 0xf0, 0x0f, 0x00];
const codesOfPairs = [0b01, 0b011, 0b10, 0b00];
const lengthsOfPairs = [2, 3, 2, 2];
/** Each line begins with a byte for its filter, which is none. */
const codeOfFilter = 0b00;
const lengthOfFilter = 2;
const codeOfEnd = 0b0111;
const codeOfRepeats = 0b1111;
const otherLength = 4;

/** 258 has a symbol of its own. */
const maximumMatch = 257;
const adlerModulus = 65_521;

/**
 * Pixels of a 1-bit greyscale PNG, as one block of DEFLATE (RFC 1951) in the format of zlib (RFC 1950). Its Huffman codes are for the
 * four bytes that there are and for the repeats of a line, so that nothing has to be searched: half of zlib's time, and a seventh
 * smaller.
 */
export function deflateModules(modules: readonly (readonly boolean[])[]): Buffer {
  const lineLength = 1 + Math.ceil(modules.length / 2);
  const matches = repeats * lineLength > maximumMatch ? repeats : 1;
  const match = symbolOf((repeats * lineLength) / matches - 3, 2);
  const distance = symbolOf(lineLength - 1, 1);
  const out = new BitWriter(modules.length * lineLength + 128);

  out.write(0x0178, 16);
  writeTables(out, match.symbol, distance.symbol);
  let adler = 1;
  let adlerOfAdler = 0;
  for (const row of modules) {
    out.write(codeOfFilter, lengthOfFilter);
    let sum = 0;
    let sumOfSums = 0;
    for (let x = 0; x < row.length; x += 2) {
      const pair = (row[x] ? 2 : 0) + (row[x + 1] ? 1 : 0);
      out.write(codesOfPairs[pair] as number, lengthsOfPairs[pair] as number);
      sum += bytesOfPairs[pair] as number;
      sumOfSums += sum;
    }
    for (let n = 0; n < matches; n++) {
      out.write(codeOfRepeats, otherLength);
      out.write(match.bits, match.length);
      // The only distance there is takes a bit.
      out.write(0, 1);
      out.write(distance.bits, distance.length);
    }
    for (let n = 0; n < pixelsPerModule; n++) {
      adlerOfAdler = (adlerOfAdler + lineLength * adler + sumOfSums) % adlerModulus;
      adler = (adler + sum) % adlerModulus;
    }
  }
  out.write(codeOfEnd, otherLength);
  return out.end((adlerOfAdler * 0x10000 + adler) >>> 0);
}

/** Of a distance less 1 or a length less 3, whose symbol has its highest bits, and what is written after the symbol. */
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
  readonly #bytes: Buffer;
  #at = 0;
  #pending = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** The lowest `length` bits of `bits`, up to 16. */
  write(bits: number, length: number): void {
    this.#pending |= bits << this.#count;
    this.#count += length;
    while (this.#count >= 8) {
      this.#bytes[this.#at++] = this.#pending;
      this.#pending >>>= 8;
      this.#count -= 8;
    }
  }

  /** What was written, up to a whole byte, and `checksum`. */
  end(checksum: number): Buffer {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return this.#bytes.subarray(0, this.#bytes.writeUInt32BE(checksum, this.#at));
  }
}
