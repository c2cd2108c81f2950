export {
  type BrCode,
  BrCodeError,
  buildDynamicBrCode,
  buildStaticBrCode,
  crc16,
  type DynamicBrCode,
  parseBrCode,
  type Payee,
  type StaticBrCode,
} from './br-code.ts';
export { qrCodePngBase64 } from './qr-code.ts';
