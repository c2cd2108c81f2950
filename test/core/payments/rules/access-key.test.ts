import { expect, test } from '@jest/globals';
import {
  hasValidCheckDigit,
  isAccessKey,
  tidiedAccessKey,
} from '../../../../src/core/payments/rules/access-key.ts';

const key = '35261112345678000195550010000010421123456782';

test('an access key may be pasted in groups of four', () => {
  expect(tidiedAccessKey(' 3526 1112 3456 7800 0195 5500 1000 0010 4211 2345 6782\u202c')).toBe(key);
});

test.each([
  ['one that is complete', key, true],
  ['the number of a CNPJ with letters', `35261112ABC345${key.slice(14)}`, true],
  ['one without its last digit', key.slice(0, -1), false],
  ['one with a letter elsewhere', `A${key.slice(1)}`, false],
  ['one of a month that is none', key.replace('2611', '2613'), false],
  ['that of a bill of lading', key.replace('9555', '9557'), false],
  ['zeros', '0'.repeat(44), false],
  ['anything else', 'NFe', false],
])('%s is an access key: %s', (_, text, expected) => {
  expect(isAccessKey(text)).toBe(expected);
});

test('only one check digit is right', () => {
  const right = Array.from('0123456789').filter((digit) => hasValidCheckDigit(key.slice(0, -1) + digit));
  expect(right).toEqual(['2']);
});

// Manual de Orientação do Contribuinte, "Chave de Acesso": a remainder of 0 or 1 makes a 0.
test('the key of the manual is valid', () => {
  expect(hasValidCheckDigit('52060433009911002506550120000007800267301615')).toBe(true);
});
