import { tidied } from '../../base/typed.ts';

export interface TaxDocument {
  kind: 'cpf' | 'cnpj';
  /** Has no punctuation. */
  value: string;
}

/** Documents are looked up in upper case and with plain punctuation, however they were typed. */
export const tidiedDocument = (text: string): string =>
  tidied(text).replace(/[a-z]/g, (letter) => letter.toUpperCase());

/**
 * Undefined when the text is neither a CPF (11 digits) nor a CNPJ (twelve of `[0-9A-Z]` and two digits, the format since July
 * 2026). Ignores case, dots, hyphens, slashes and spaces, whichever characters they were pasted as.
 */
export function parseDocument(text: string): TaxDocument | undefined {
  const value = tidiedDocument(text).replace(/[./ -]/g, '');
  if (/^\d{11}$/.test(value)) return { kind: 'cpf', value };
  if (/^[0-9A-Z]{12}\d{2}$/.test(value)) return { kind: 'cnpj', value };
  return undefined;
}

/** `529.982.247-25` or `12.ABC.345/01DE-35`; the text itself if it is no document, as the masked ones are not. */
export function documentText(text: string): string {
  const document = parseDocument(text);
  if (!document) return text;
  return document.kind === 'cpf'
    ? document.value.replace(/^(.{3})(.{3})(.{3})/, '$1.$2.$3-')
    : document.value.replace(/^(.{2})(.{3})(.{3})(.{4})/, '$1.$2.$3/$4-');
}

const after = { group: ['', '.', ' '], end: ['', '-', '/', '.', ' '] } as const;

const separators: Record<TaxDocument['kind'], (readonly [at: number, between: readonly string[]])[]> = {
  cpf: [
    [3, after.group],
    [6, after.group],
    [9, after.end],
  ],
  cnpj: [
    [2, after.group],
    [5, after.group],
    [8, after.end],
    [12, after.end],
  ],
};

/** People write documents with all, some or none of the punctuation. */
export function spellings({ kind, value }: TaxDocument): string[] {
  let from = 0;
  let written = [''];
  for (const [at, between] of separators[kind]) {
    const part = value.slice(from, at);
    written = written.flatMap((head) => between.map((separator) => head + part + separator));
    from = at;
  }
  return written.map((head) => head + value.slice(from));
}

const highestWeight = { cpf: 11, cnpj: 9 };

/** Also rejects a single repeated character, which would pass the arithmetic. */
export function hasValidCheckDigits({ kind, value }: TaxDocument): boolean {
  if (/^(.)\1+$/.test(value)) return false;
  return [-2, -1].every(
    (position) => value.at(position) === checkDigit(value.slice(0, position), highestWeight[kind]),
  );
}

/** Modulo 11 with weights 2, 3, … from the right, over each character's code minus that of `0`. */
export function checkDigit(characters: string, highest: number): string {
  let sum = 0;
  for (let fromRight = 0; fromRight < characters.length; fromRight++) {
    const weight = 2 + (fromRight % (highest - 1));
    sum += weight * (characters.charCodeAt(characters.length - 1 - fromRight) - 48);
  }
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}
