/** Formats that browsers show and that cannot carry a script, as SVG can. */
const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

type LogoType = (typeof logoTypes)[number];

/** In Base64, it still fits into a request of 64 KiB. */
export const maximumLogoBytes = 48_000;

/** Limits of each side, in pixels. */
export const logoSides = { minimum: 16, maximum: 1_024 } as const;

export interface LogoSize {
  contentType: LogoType;
  width: number;
  height: number;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const textAt = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length));

const pngSignature = '\x89PNG\r\n\x1a\n';

/** Follows the chunks to make sure that nothing comes after the image. */
function readPng(bytes: Uint8Array): LogoSize | undefined {
  if (textAt(bytes, 0, 8) !== pngSignature || textAt(bytes, 12, 4) !== 'IHDR') return undefined;
  const view = viewOf(bytes);
  const size: LogoSize = { contentType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (textAt(bytes, at + 4, 4) === 'IEND') return at + 12 === bytes.length ? size : undefined;
  }
  return undefined;
}

/** Markers of frame headers; the others from C0 to CF are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(bytes: Uint8Array): LogoSize | undefined {
  const view = viewOf(bytes);
  const isWhole = view.getUint16(0) === 0xffd8 && view.getUint16(bytes.length - 2) === 0xffd9;
  if (!isWhole) return undefined;
  for (let at = 2; at + 9 <= bytes.length && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    if (isFrame(view.getUint8(at + 1)))
      return { contentType: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}

const fourteenBits = 0x3fff;

/** Lossy, lossless and extended files each state their size in another way. */
function readWebp(bytes: Uint8Array): LogoSize | undefined {
  const view = viewOf(bytes);
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return undefined;
  if (view.getUint32(4, true) + 8 !== bytes.length) return undefined;
  const contentType = 'image/webp';
  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ':
      return {
        contentType,
        width: view.getUint16(26, true) & fourteenBits,
        height: view.getUint16(28, true) & fourteenBits,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { contentType, width: (bits & fourteenBits) + 1, height: ((bits >>> 14) & fourteenBits) + 1 };
    }
    case 'VP8X':
      return {
        contentType,
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(27, true) & 0xffffff) + 1,
      };
    default:
      return undefined;
  }
}

/** Decides by the bytes alone; undefined when they are no such image. */
export function readLogo(bytes: Uint8Array): LogoSize | undefined {
  // Shorter than any of these formats can be.
  if (bytes.length < 32) return undefined;
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}
