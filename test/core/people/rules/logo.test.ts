import { describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { readLogo } from '../../../../src/core/people/rules/logo.ts';

const png = PNG.sync.write(new PNG({ width: 40, height: 24 }));

/** One pixel each, as ImageMagick writes them, with the size of the header replaced where a test says so. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
);
const lossy = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const lossless = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

function extended(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(24, 4);
  bytes.write('WEBPVP8X', 8);
  bytes.writeUInt32LE(10, 16);
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

const after = (bytes: Buffer, text: string) => Buffer.concat([bytes, Buffer.from(text)]);

describe('a logo', () => {
  test.each([
    ['PNG', png, { contentType: 'image/png', width: 40, height: 24 }],
    ['JPEG', jpeg, { contentType: 'image/jpeg', width: 1, height: 1 }],
    ['lossy WebP', lossy, { contentType: 'image/webp', width: 1, height: 1 }],
    ['lossless WebP', lossless, { contentType: 'image/webp', width: 1, height: 1 }],
    ['extended WebP', extended(800, 300), { contentType: 'image/webp', width: 800, height: 300 }],
  ])('is read as %s by its bytes', (_name, bytes, expected) => {
    expect(readLogo(bytes)).toEqual(expected);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(60))],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00'.padEnd(60, '\0'), 'latin1')],
    ['a PNG with a page after it', after(png, '<script>alert(1)</script>')],
    ['a JPEG with a page after it', after(jpeg, '<script>alert(1)</script>')],
    ['a WebP with a page after it', after(lossy, '<script>alert(1)</script>')],
    ['half a PNG', png.subarray(0, 40)],
    [
      'a JPEG without a frame',
      Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(40), Buffer.of(0xff, 0xd9)]),
    ],
    ['only the signature of a PNG', Buffer.concat([png.subarray(0, 8), Buffer.alloc(60)])],
  ])('is not %s', (_name, bytes) => {
    expect(readLogo(bytes)).toBeUndefined();
  });
});
