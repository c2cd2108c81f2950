export {
  type BrCode,
  BrCodeError,
  buildDynamicBrCode,
  buildRecurrenceBrCode,
  buildStaticBrCode,
  crc16,
  type DynamicBrCode,
  parseBrCode,
  type Payee,
  type RecurrenceBrCode,
  type StaticBrCode,
} from './br-code.ts';
export { qrCodePngBase64 } from './qr-code.ts';
