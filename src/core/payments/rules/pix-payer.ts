import { cutTo } from '../../base/text.ts';
import { parseDocument } from './document.ts';

/** Who paid a Pix, as its provider tells it. */
export interface PixPayer {
  name: string | null;
  /** Has no punctuation. Some providers hide a part of it: an asterisk stands for each hidden character. */
  document: string | null;
  /** What the payer wrote with the Pix. */
  message: string | null;
}

const maximumNameLength = 200;
/** `infoPagador` of the API Pix. */
const maximumMessageLength = 140;

/** Fit to be stored and shown in one line. */
function lineOf(text: string | null | undefined, maximum: number): string | null {
  const line = text
    ?.toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line ? cutTo(line, maximum) : null;
}

function documentOf(text: string | null | undefined): string | null {
  const bare = text?.replace(/[./\s-]/g, '').toUpperCase() ?? '';
  const isDocument = /^[\d*]{11}$|^[\dA-Z*]{12}[\d*]{2}$/.test(bare);
  return isDocument && /[^*]/.test(bare) ? bare : null;
}

type ToldPayer = { readonly [Member in keyof PixPayer]?: string | null | undefined };

/** Undefined if nothing is told of the payer. A document that is none is left out. */
export function pixPayerOf({ name, document, message }: ToldPayer): PixPayer | undefined {
  const payer = {
    name: lineOf(name, maximumNameLength),
    document: documentOf(document),
    message: lineOf(message, maximumMessageLength),
  };
  return Object.values(payer).some((each) => each !== null) ? payer : undefined;
}

/**
 * Whether the document of who paid is that of the payer asked for, as far as its provider shows it. Undefined where nothing can
 * be said.
 */
export function isSamePayer(asked: string | null, told: string | null | undefined): boolean | undefined {
  const document = asked === null ? undefined : parseDocument(asked)?.value;
  if (document === undefined || !told) return undefined;
  if (document.length !== told.length) return false;
  return Array.from(told).every((character, at) => character === '*' || character === document[at]);
}

/** With the punctuation of a CPF or CNPJ, and without the digits at its ends, as banks show it. */
export function maskedDocument(document: string): string {
  const hidden = document.length === 11 ? 3 : 2;
  const shown = `${'*'.repeat(hidden)}${document.slice(hidden, -2)}**`;
  return document.length === 11
    ? shown.replace(/^(.{3})(.{3})(.{3})/, '$1.$2.$3-')
    : shown.replace(/^(.{2})(.{3})(.{3})(.{4})/, '$1.$2.$3/$4-');
}
