import { LRUCache } from 'lru-cache';
import { qrCodePngBase64 } from '@pix-service/br-code';

/** Payers look at their payment several times. A kilobyte each. */
const drawn = new LRUCache<string, string>({ max: 1_000, memoMethod: (code) => qrCodePngBase64(code) });

/** The picture of a copy-and-paste code, as Base64 of a PNG. Drawn rather than stored, as it is a third of a payment's row. */
export const qrCodeOf = (code: string): string => drawn.memo(code);
