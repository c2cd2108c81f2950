import { describe, expect, test } from '@jest/globals';
import { isSamePayer, maskedDocument, pixPayerOf } from '../../../../src/core/payments/rules/pix-payer.ts';

describe('whoever paid', () => {
  test.each([
    ['without a document', '', null],
    ['with a document of another length', '1234567890', null],
    ['with nothing but asterisks', '***.***.***-**', null],
    ['with a CPF', '529.982.247-25', '52998224725'],
    ['with a CPF that is hidden in part', '***.982.247-**', '***982247**'],
    ['with a CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
  ])('is known %s', (_, document, expected) => {
    expect(pixPayerOf({ name: 'Fulano', document })).toEqual({
      name: 'Fulano',
      document: expected,
      message: null,
    });
  });

  test('has a name and a message that fit into one line and the database', () => {
    const told = pixPayerOf({ name: ' Fu\0lano\n de \t Tal\ud800 ', message: `x${' y'.repeat(300)}` });
    expect(told).toMatchObject({ name: 'Fu lano de Tal\ufffd' });
    expect(told?.message?.length).toBeLessThanOrEqual(140);
  });

  test('is nobody when nothing is told', () => {
    expect(pixPayerOf({ name: ' ', document: null, message: '\0' })).toBeUndefined();
    expect(pixPayerOf({})).toBeUndefined();
  });
});

test.each([
  ['the same', '529.982.247-25', '52998224725', true],
  ['the same as far as it is shown', '529.982.247-25', '***982247**', true],
  ['another', '529.982.247-25', '11144477735', false],
  ['another as far as it is shown', '529.982.247-25', '***444777**', false],
  ['a company instead of a person', '529.982.247-25', '12ABC34501DE35', false],
  ['nobody that was asked for', null, '52998224725', undefined],
  ['whoever was forgotten', 'forgotten-0d3f9a61c2b7', '52998224725', undefined],
  ['somebody that nobody names', '529.982.247-25', null, undefined],
])('a Pix is from %s', (_, asked, told, expected) => {
  expect(isSamePayer(asked, told)).toBe(expected);
});

test.each([
  ['52998224725', '***.982.247-**'],
  ['***982247**', '***.982.247-**'],
  ['12ABC34501DE35', '**.ABC.345/01DE-**'],
])('%s is shown as %s', (document, shown) => {
  expect(maskedDocument(document)).toBe(shown);
});
