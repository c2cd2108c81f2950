import { logoSides, maximumLogoBytes } from '../../../core/people/rules/logo.ts';

/** Longer sides are tried first. */
const sides = [512, 384, 256, 128];

async function drawn(bitmap: ImageBitmap, side: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(logoSides.minimum, Math.round(bitmap.width * scale));
  canvas.height = Math.max(logoSides.minimum, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}

const base64Of = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

/**
 * An image that the browser can read as a PNG in base64 that the service takes, without what cameras add to files. The file
 * itself where the browser cannot read it, so that the service says what is wrong.
 */
export async function shrinkImage(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  for (const side of bitmap ? sides : []) {
    const blob = bitmap && (await drawn(bitmap, side));
    if (blob && blob.size <= maximumLogoBytes) return base64Of(blob);
  }
  return base64Of(file.slice(0, maximumLogoBytes + 1));
}
