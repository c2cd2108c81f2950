import { crc32 } from 'node:zlib';
import { encodeQR } from 'qr';
import { deflateModules, pixelsPerModule } from './qr-code-pixels.ts';

const quietZoneInModules = 4;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const end = chunk('IEND', Buffer.alloc(0));

/** A 1-bit PNG that decodes to exactly `text`: error correction M, quiet zone 4. */
export function qrCodePngBase64(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZoneInModules });
  const header = headerOf(modules.length * pixelsPerModule);
  return Buffer.concat([signature, header, chunk('IDAT', deflateModules(modules)), end]).toString('base64');
}

function headerOf(size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Bit depth 1; colour type, compression, filter and interlace stay 0.
  header.writeUInt8(1, 8);
  return chunk('IHDR', header);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), data.length + 8);
  return framed;
}
