const pixGui = 'br.gov.bcb.pix';
const digitZero = 0x30;
const maximumCodeLength = 512;
const maximumAccountLength = 77;
const maximumKeyAndInformationLength = 73;
/** Data object 54 has 13 characters. */
const maximumAmountInCents = 999_999_999_999;

/** The DICT has these formats: CPF, CNPJ, phone, random key, e-mail. */
const pixKeyPatterns = [
  /^\d{11}$/,
  /^[0-9A-Z]{12}\d{2}$/,
  /^\+[1-9]\d{6,14}$/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9.-]+$/,
];

/** The message names the data object by its path (`54`, `26-25`) and the problem. */
export class BrCodeError extends Error {
  override readonly name = 'BrCodeError';
}

/** Values by data object path: `54`, `26` (a template, unparsed), `26-25` (an object inside it). */
export type BrCode = ReadonlyMap<string, string>;

export interface Payee {
  /** Truncated to 25 ASCII characters. */
  merchantName: string;
  /** Truncated to 15 ASCII characters. */
  merchantCity: string;
  /** A whole number of centavos, 1 to 999,999,999,999. Left out, the payer chooses. */
  amountInCents?: number | bigint | undefined;
}

export interface StaticBrCode extends Payee {
  pixKey: string;
  /** Truncated to what the key leaves of 73 ASCII characters. */
  additionalInformation?: string;
  /** 1 to 25 of `[A-Za-z0-9]`. */
  transactionId?: string;
}

export interface DynamicBrCode extends Payee {
  /** URL from which the payer's bank fetches the charge. Banks expect no scheme, so `https://` is dropped. */
  location: string;
}

export interface RecurrenceBrCode extends Omit<Payee, 'amountInCents'> {
  /** URL from which the payer's bank fetches the recurrence (Pix Automático). Without `https://`, as `location`. */
  recurrenceLocation: string;
  /** That of a charge which is paid with it. */
  location?: string | undefined;
}

const crcOfByte = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** CRC-16/CCITT-FALSE of the UTF-8 bytes, as four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    crc = ((crc << 8) ^ (crcOfByte[(crc >> 8) ^ (bytes[at] as number)] as number)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** A code that anybody may pay to a Pix key, by the Manual do BR Code 1.0.0. Throws BrCodeError. */
export function buildStaticBrCode(input: StaticBrCode): string {
  const { pixKey, additionalInformation = '', transactionId = '***' } = input;
  if (pixKey.length > maximumAccountLength || !pixKeyPatterns.some((pattern) => pattern.test(pixKey))) {
    throw new BrCodeError('26-01 must be a Pix key in the format of the DICT');
  }
  if (!/^([A-Za-z0-9]{1,25}|\*{3})$/.test(transactionId)) {
    throw new BrCodeError('62-05 must be 1 to 25 letters and digits');
  }
  const room = Math.max(0, maximumKeyAndInformationLength - pixKey.length);
  const account = object('01', pixKey) + object('02', cut(asciiOf(additionalInformation), room));
  return build({ account, transactionId, pointOfInitiation: '', payee: input });
}

/** The code of a charge at a PSP, by the Manual de Padrões para Iniciação do Pix 2.1. Throws BrCodeError. */
export function buildDynamicBrCode(input: DynamicBrCode): string {
  return build({
    account: object('25', locationIn('26-25', input.location)),
    transactionId: '***',
    pointOfInitiation: '12',
    payee: input,
  });
}

/** The code with which a payer permits a recurrence, and pays its first charge if there is one. Throws BrCodeError. */
export function buildRecurrenceBrCode(input: RecurrenceBrCode): string {
  const { merchantName, merchantCity, recurrenceLocation, location } = input;
  return build({
    account: location === undefined ? '' : object('25', locationIn('26-25', location)),
    transactionId: '***',
    pointOfInitiation: location === undefined ? '' : '12',
    payee: { merchantName, merchantCity },
    recurrence: object('25', locationIn('80-25', recurrenceLocation)),
  });
}

/** Banks expect no scheme. */
function locationIn(path: string, url: string): string {
  const location = url.replace(/^https?:\/\//i, '');
  if (location.length > maximumAccountLength || !/^[!-~]+$/.test(location)) {
    throw new BrCodeError(`${path} must be a URL of at most ${maximumAccountLength} ASCII characters`);
  }
  return location;
}

/**
 * Checks only what every bank checks (data objects, CRC, GUI): a PSP's code may carry its own templates,
 * categories and ids. Throws BrCodeError.
 */
export function parseBrCode(code: string): BrCode {
  if (code.length > maximumCodeLength) {
    throw new BrCodeError(`the code has ${code.length} characters; the maximum is ${maximumCodeLength}`);
  }
  if (/\p{C}/u.test(code)) throw new BrCodeError('the code contains an unprintable character');
  if (!code.startsWith('000201')) throw new BrCodeError('the code must start with 000201');
  const objects = new Map<string, string>();
  if (readObjects(code, '', objects) !== '63') throw new BrCodeError('63, the CRC, must be present and last');
  if (objects.get('63') !== crc16(code.slice(0, -4))) throw new BrCodeError('63, the CRC, is wrong');
  for (const [path, value] of objects) {
    if (path.endsWith('-00') && isAccount(path.slice(0, 2)) && value.toLowerCase() === pixGui) return objects;
  }
  throw new BrCodeError(`26 to 51: no template has the GUI ${pixGui}`);
}

/** Returns the id of the last object. */
function readObjects(text: string, parent: string, objects: Map<string, string>): string {
  let id = '';
  for (let at = 0; at < text.length;) {
    id = text.slice(at, at + 2);
    const length = twoDigitsAt(text, at + 2);
    if (twoDigitsAt(text, at) === undefined || length === undefined)
      throw new BrCodeError(`${parent}${id} is not an id followed by a two-digit length`);
    const path = parent + id;
    const value = text.slice(at + 4, at + 4 + length);
    if (!value) throw new BrCodeError(`${path} is empty`);
    if (value.length < length) throw new BrCodeError(`${path} runs past the end`);
    if (objects.has(path)) throw new BrCodeError(`${path} appears twice`);
    objects.set(path, value);
    if (!parent && isTemplate(path)) readObjects(value, `${path}-`, objects);
    at += 4 + length;
  }
  return id;
}

function twoDigitsAt(text: string, at: number): number | undefined {
  const tens = text.charCodeAt(at) - digitZero;
  const ones = text.charCodeAt(at + 1) - digitZero;
  const areDigits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return areDigits ? tens * 10 + ones : undefined;
}

const isAccount = (id: string) => id >= '26' && id <= '51';
const isTemplate = (id: string) => isAccount(id) || id === '62' || id === '64' || id >= '80';

const object = (id: string, value: string): string =>
  value && `${id}${String(value.length).padStart(2, '0')}${value}`;

interface Content {
  account: string;
  transactionId: string;
  pointOfInitiation: string;
  payee: Payee;
  recurrence?: string;
}

function build({ account, transactionId, pointOfInitiation, payee, recurrence }: Content): string {
  const { merchantName, merchantCity, amountInCents } = payee;
  const code = [
    object('00', '01'),
    object('01', pointOfInitiation),
    object('26', object('00', pixGui) + account),
    object('52', '0000'),
    object('53', '986'),
    object('54', amountInCents === undefined ? '' : amountOf(amountInCents)),
    object('58', 'BR'),
    // Banks show the payee's registered name, so a name without Latin letters is no reason to refuse a
    // charge.
    object('59', nameOf(merchantName, 25) || 'Recebedor'),
    object('60', nameOf(merchantCity, 15) || 'Brasil'),
    object('62', object('05', transactionId)),
    recurrence === undefined ? '' : object('80', object('00', pixGui) + recurrence),
    '6304',
  ].join('');
  return code + crc16(code);
}

function amountOf(amountInCents: number | bigint): string {
  const cents = Number(amountInCents);
  if (!Number.isInteger(cents) || cents < 1 || cents > maximumAmountInCents) {
    throw new BrCodeError('54 must be between 0.01 and 9999999999.99');
  }
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Drops `&` and `@`, which banks refuse in names. */
const nameOf = (text: string, maximumLength: number): string =>
  cut(asciiOf(text).replace(/[&@]/g, ''), maximumLength);

const asciiOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\s/g, ' ')
    .replace(/[^ -~]/g, '');

const cut = (text: string, maximumLength: number): string =>
  text.replace(/ +/g, ' ').trim().slice(0, maximumLength).trim();
