import { encodeQR } from 'qr';

const quietZoneInModules = 4;
/** An address gets some 1,000 pixels, enough for a poster. */
const pixelsPerModule = 24;

/** Returns a PNG as a `data:` URL. */
export function qrCodeUrl(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZoneInModules });
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules.length * pixelsPerModule;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser cannot draw');
  for (const [y, row] of modules.entries()) {
    for (const [x, isDark] of row.entries()) {
      context.fillStyle = isDark ? 'black' : 'white';
      context.fillRect(x * pixelsPerModule, y * pixelsPerModule, pixelsPerModule, pixelsPerModule);
    }
  }
  return canvas.toDataURL('image/png');
}
