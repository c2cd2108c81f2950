/** Words of all kinds by version less 1: ISO/IEC 18004, table 1. */
const wordsOfVersions = [
  26, 44, 70, 100, 134, 172, 196, 242, 292, 346, 404, 466, 532, 581, 655, 733, 815, 901, 991, 1085, 1156,
  1258, 1364, 1474, 1588, 1706, 1828, 1921, 2051, 2185, 2323, 2465, 2611, 2761, 2876, 3034, 3196, 3362, 3532,
  3706,
];
/** Table 9 has these for error correction M. */
const blocksOfVersions = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
  31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
];
const checkWordsOfBlocks = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
];

const byteMode = 0b0100;
const padding = [0b1110_1100, 0b0001_0001];

interface Capacity {
  version: number;
  words: number;
  blocks: number;
  checkWords: number;
  dataWords: number;
  /** Table 3 has the bits of the text's length. */
  countLength: number;
  /** Mode and terminator take a byte together. */
  textLength: number;
}

const capacities = wordsOfVersions.map((words, at): Capacity => {
  const blocks = blocksOfVersions[at] as number;
  const checkWords = checkWordsOfBlocks[at] as number;
  const dataWords = words - blocks * checkWords;
  const countLength = at < 9 ? 1 : 2;
  const textLength = dataWords - countLength - 1;
  return { version: at + 1, words, blocks, checkWords, dataWords, countLength, textLength };
});

/** Room for the longest text and for a character that is too many. */
const textAt = 3;
const data = Buffer.alloc(textAt + Math.max(...capacities.map(({ textLength }) => textLength)) + 4);
/** Room for bits beyond the last word. */
const codeWords = new Uint8Array(Math.max(...wordsOfVersions) + 2);

/**
 * The code words of the UTF-8 bytes of `text` with error correction M, in the smallest version and in the order of the symbol: ISO/IEC
 * 18004, 7.4 to 7.6. Two zeros follow. The next text overwrites them.
 */
export function codeWordsOf(text: string): { version: number; codeWords: Uint8Array } {
  const length = data.write(text, textAt);
  const capacity = capacities.find(({ textLength }) => length <= textLength);
  if (!capacity) throw new RangeError('the text is too long for a QR code');
  writeData(length, capacity);
  writeBlocks(capacity);
  codeWords.fill(0, capacity.words, capacity.words + 2);
  return { version: capacity.version, codeWords };
}

function writeData(length: number, { countLength, dataWords }: Capacity): void {
  const countAt = textAt - countLength;
  const modeAt = countAt - 1;
  const end = textAt + length;
  data[modeAt] = byteMode;
  data.writeUIntBE(length, countAt, countLength);
  data[end] = 0;
  // The mode takes half a byte, so that what follows comes half a byte earlier.
  const used = end - modeAt;
  for (let at = 0; at < used; at++) {
    data[at] = ((data[modeAt + at] as number) << 4) | ((data[modeAt + at + 1] as number) >>> 4);
  }
  for (let at = used; at < dataWords; at++) data[at] = padding[(at - used) & 1] as number;
}

/** The first words of all blocks, then their second ones and so on. The last blocks may be a word longer. */
function writeBlocks({ blocks, checkWords, dataWords }: Capacity): void {
  const products = (productsOf[checkWords] ??= productsOfGenerator(checkWords));
  const shortLength = Math.floor(dataWords / blocks);
  const shortBlocks = blocks - (dataWords % blocks);
  let from = 0;
  for (let block = 0; block < blocks; block++) {
    const length = block < shortBlocks ? shortLength : shortLength + 1;
    remainder.fill(0);
    for (let n = 0; n < length; n++) {
      const word = data[from++] as number;
      codeWords[n * blocks + block - (n < shortLength ? 0 : shortBlocks)] = word;
      divide(word, products);
    }
    for (let n = 0; n < checkWords; n++) {
      codeWords[dataWords + n * blocks + block] = (remainder[n >>> 2] as number) >>> (24 - 8 * (n & 3));
    }
  }
}

/** What the generator polynomial leaves of a block: four check words each, the first one highest, then a 0. */
const remainder = new Int32Array(9);
/**
 * Holds the generator polynomial times each byte, by the number of check words, in words as those of the remainder.
 */
const productsOf: Int32Array[] = [];

function divide(word: number, products: Int32Array): void {
  const length = products.length >>> 8;
  let current = remainder[0] as number;
  const product = (word ^ (current >>> 24)) * length;
  for (let n = 0; n < length; n++) {
    const next = remainder[n + 1] as number;
    remainder[n] = ((current << 8) | (next >>> 24)) ^ (products[product + n] as number);
    current = next;
  }
}

/** Annex A: its roots are the first powers of 2. */
function productsOfGenerator(degree: number): Int32Array {
  const generator = new Uint8Array(degree);
  generator[degree - 1] = 1;
  for (let n = 0, root = 1; n < degree; n++, root = multiply(root, 2)) {
    for (let at = 0; at < degree; at++) {
      generator[at] = multiply(generator[at] as number, root) ^ (generator[at + 1] ?? 0);
    }
  }
  const length = Math.ceil(degree / 4);
  const bytes = Buffer.alloc(256 * length * 4);
  for (let factor = 0; factor < 256; factor++) {
    generator.forEach((coefficient, at) => {
      bytes[factor * length * 4 + at] = multiply(coefficient, factor);
    });
  }
  return Int32Array.from({ length: 256 * length }, (_, n) => bytes.readInt32BE(4 * n));
}

/** Multiplies in the field of 256 elements of 7.5.2. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0b1_0001_1101) ^ (((b >>> bit) & 1) * a);
  }
  return product;
}
