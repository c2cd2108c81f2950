import { LRUCache } from 'lru-cache';
import { qrCodePngBase64 } from '@pix-service/br-code';

/** Payers look at their payment several times, and a picture takes only a kilobyte. */
const drawn = new LRUCache<string, string>({ max: 1_000, memoMethod: (code) => qrCodePngBase64(code) });

/**
 * The picture of a copy-and-paste code, as a Base64 PNG. Drawn when needed, because stored it would be a third of a payment's
 * row.
 */
export const qrCodeOf = (code: string): string => drawn.memo(code);
