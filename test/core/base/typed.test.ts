import { describe, expect, test } from '@jest/globals';
import { centsFromText } from '../../../src/core/base/money.ts';
import { phoneText, tidied } from '../../../src/core/base/typed.ts';
import { parseDocument } from '../../../src/core/payments/rules/document.ts';

describe('what people paste is read', () => {
  test.each([
    ['full-width characters', '＋５５（１１）９８７６５－４３２１', '+55(11)98765-4321'],
    ['tabs and line breaks of a spreadsheet', '\t+55 (11)\t98765-4321\r\n', '+55 (11) 98765-4321'],
    ['marks of a messenger', '\u202a+55 (11)\u00a098765\u20114321\u202c', '+55 (11) 98765-4321'],
  ])('with %s', (_, pasted, plain) => {
    expect(tidied(pasted)).toBe(plain);
  });

  test('as a document and as an amount', () => {
    expect(parseDocument('１２．ａｂｃ．３４５／０１ｄｅ－３５')).toEqual({
      kind: 'cnpj',
      value: '12ABC34501DE35',
    });
    expect(parseDocument('529\t982\t247-25')).toEqual({ kind: 'cpf', value: '52998224725' });
    expect(centsFromText('Ｒ＄　１９，９０')).toBe(19_90n);
  });
});

describe('the text of a phone number', () => {
  test.each([
    ['+5511987654321', '(11) 98765-4321'],
    ['1133334444', '(11) 3333-4444'],
    ['021 98765-4321', '(21) 98765-4321'],
    ['(**) *****-4321', '(**) *****-4321'],
    ['+1 212 555 0100', '+1 212 555 0100'],
  ])('%s is %s', (text, shown) => {
    expect(phoneText(text)).toBe(shown);
  });
});
