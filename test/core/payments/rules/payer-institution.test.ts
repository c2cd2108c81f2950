import { expect, test } from '@jest/globals';
import { institutionOf } from '../../../../src/core/payments/rules/payer-institution.ts';

const endToEndId = (ispb: string) => `E${ispb}20261122030512345678901`;

test.each([
  ['60701190', 'ITAÚ UNIBANCO S.A.'],
  ['00000000', 'Banco do Brasil S.A.'],
  ['18236120', 'NU PAGAMENTOS S.A. - INSTITUIÇÃO DE PAGAMENTO'],
  ['99999999', null],
  ['12ABC345', null],
])('%s in an end-to-end id is %s', (ispb, name) => {
  expect(institutionOf(endToEndId(ispb))).toEqual({ ispb, name });
});

test.each(['', 'E607011', '60701190', `D60701190${'1'.repeat(23)}`, `Eabcdefgh${'1'.repeat(23)}`])(
  'nobody is named by %p',
  (text) => {
    expect(institutionOf(text)).toBeNull();
  },
);
