import { generateCnpj } from '@brazilian-utils/brazilian-utils/generate-cnpj';
import { generateCpf } from '@brazilian-utils/brazilian-utils/generate-cpf';
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasValidCheckDigits, parseDocument } from '../../src/domain/payments/document.ts';

const isValid = (text: string) => {
  const document = parseDocument(text);
  return document !== undefined && hasValidCheckDigits(document);
};

describe('a text that is no document', () => {
  it.each([
    ['nothing', ''],
    ['punctuation only', '.../--'],
    ['too few digits', '1234567890'],
    ['twelve digits', '123456789012'],
    ['too many digits', '123456789012345'],
    ['a letter in a CPF', '1234567890A'],
    ['letters for check digits', '12ABC34501DEXX'],
    ['lower-case letters', '12abc34501de35'],
    ['another punctuation', '123_456_789_09'],
    ['a line break', '12345678909\n'],
    ['digits of another script', '١٢٣٤٥٦٧٨٩٠٩'],
    ['a letter with an accent', '12ÁBC34501DE35'],
    ['a full-width digit', '1234567890９'],
  ])('is refused: %s', (_, text) => {
    expect(parseDocument(text)).toBeUndefined();
  });
});

describe('check digits are wrong', () => {
  it.each(['12345678900', '123.456.789-10', '12345678919'])('in the CPF %s', (text) => {
    expect(parseDocument(text)?.kind).toBe('cpf');
    expect(isValid(text)).toBe(false);
  });

  it.each(['12ABC34501DE36', '12ABC34501DE25', '11222333000180', '11222333000191'])(
    'in the CNPJ %s',
    (text) => {
      expect(parseDocument(text)?.kind).toBe('cnpj');
      expect(isValid(text)).toBe(false);
    },
  );

  it.each('0123456789'.split(''))('when all of them are %s', (digit) => {
    expect(isValid(digit.repeat(11))).toBe(false);
    expect(isValid(digit.repeat(14))).toBe(false);
  });
});

describe('a document', () => {
  it.each([
    ['12345678909', 'cpf', '12345678909'],
    ['123.456.789-09', 'cpf', '12345678909'],
    [' 123 456 789 09 ', 'cpf', '12345678909'],
    ['11222333000181', 'cnpj', '11222333000181'],
    ['11.222.333/0001-81', 'cnpj', '11222333000181'],
    ['12ABC34501DE35', 'cnpj', '12ABC34501DE35'],
    ['12.ABC.345/01DE-35', 'cnpj', '12ABC34501DE35'],
  ])('is read and valid: %s', (text, kind, value) => {
    expect(parseDocument(text)).toEqual({ kind, value });
    expect(isValid(text)).toBe(true);
  });

  it.each([
    ['CPF', /^\d{9}$/, (text: string) => isValidCpf(text)],
    ['CNPJ', /^[0-9A-Z]{12}$/, (text: string) => isValidCnpj(text, { version: 2 })],
  ])('has one pair of check digits, that of an independent implementation: %s', (_, body, isValidThere) => {
    fc.assert(
      fc.property(fc.stringMatching(body), (text) => {
        fc.pre(new Set(text).size > 1);
        const documents = Array.from({ length: 100 }, (_, pair) => text + String(pair).padStart(2, '0'));
        expect(documents.filter(isValid)).toHaveLength(1);
        expect(documents.filter(isValid)).toEqual(documents.filter(isValidThere));
      }),
    );
  });

  it('is valid when an independent implementation made it', () => {
    for (let times = 0; times < 200; times++) {
      expect(isValid(generateCpf())).toBe(true);
      expect(isValid(generateCnpj({ version: 2 }))).toBe(true);
    }
  });
});
