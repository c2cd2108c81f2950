import { crc32 } from 'node:zlib';
import { modulesOf } from './qr-code/matrix.ts';
import { pixelsPerSide, writePixels } from './qr-code/pixels.ts';

/** Each call overwrites it. The largest code has 185 lines, which take at most 42 bytes each. */
const png = Buffer.alloc(10_000);
const headerAt = png.write('89504e470d0a1a0a', 'hex');
const headerLength = 13;
/** Length and type of a chunk take these bytes. */
const framingLength = 8;

/** A 1-bit PNG that decodes to exactly `text`: error correction M, quiet zone 4. */
export function qrCodePngBase64(text: string): string {
  const modules = modulesOf(text);
  const size = pixelsPerSide(modules);
  const sizeAt = headerAt + framingLength;
  png.writeUInt32BE(size, sizeAt);
  png.writeUInt32BE(size, sizeAt + 4);
  // Bit depth 1; colour type, compression, filter and interlace stay 0.
  png.writeUInt8(1, sizeAt + 8);
  const pixelsAt = frame('IHDR', headerAt, sizeAt + headerLength);
  const endAt = frame('IDAT', pixelsAt, writePixels(modules, png, pixelsAt + framingLength));
  return png.toString('base64', 0, frame('IEND', endAt, endAt + framingLength));
}

/** Makes a chunk of what is there already, and returns where the next one starts. */
function frame(type: string, start: number, end: number): number {
  png.writeUInt32BE(end - start - framingLength, start);
  png.write(type, start + 4, 'latin1');
  return png.writeUInt32BE(crc32(png.subarray(start + 4, end)), end);
}
