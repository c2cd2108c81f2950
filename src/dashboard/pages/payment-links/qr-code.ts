import { encodeQR } from 'qr';

const quietZoneInModules = 4;
/** Some 1,000 pixels for an address: enough for a poster. */
const pixelsPerModule = 24;

/** The QR code of a text, as the `data:` URL of a PNG. */
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
