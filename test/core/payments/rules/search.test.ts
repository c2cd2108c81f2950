import { describe, expect, test } from '@jest/globals';
import { buildDynamicBrCode, buildStaticBrCode } from '@pix-service/br-code';
import { codeKey, locationKey } from '../../../../src/core/payments/rules/search/code-key.ts';
import { type SearchedFields, termsOf } from '../../../../src/core/payments/rules/search/search-terms.ts';
import { hasWords, parseSearchText } from '../../../../src/core/payments/rules/search/search-text.ts';
import { parseSoughtPayer } from '../../../../src/core/payments/rules/search/sought-payer.ts';

const nothing: SearchedFields = {
  externalId: null,
  payerName: null,
  payerDocument: null,
  payerEmail: null,
  payerPhone: null,
  pixCopyPaste: null,
  txid: null,
};

const payment: SearchedFields = {
  externalId: 'Loja-7/2026-0042',
  payerName: 'Antônia D’Ávila Sá-Ferraz 🎉',
  payerDocument: '529.982.247-25',
  payerEmail: 'Antonia.Ferraz@Example.com',
  payerPhone: '+55 (11) 98765-4321',
  pixCopyPaste: null,
  txid: null,
};

const finds = (text: string, its = payment, seesPayers = true): boolean =>
  hasWords(its, parseSearchText(text, { seesPayers }).words);

test.each([
  'antonia',
  'ANTÔN',
  'ferraz ant',
  'sa-ferraz',
  'd’avila',
  'davila',
  'antonia.ferraz@ex',
  '52998224725',
  '529.982.247-25',
  '529 982 247 25',
  '529982',
  '11987654321',
  '+55 11 98765-4321',
  '5511987654321',
  '98765-4321',
  '(11) 98765-4321',
  '(011) 98765-4321',
  '+55 (011) 9.8765-4321',
  '\u202a+55\u00a011\u00a098765\u20114321\u202c',
  '\u200e529.982.247\u201325',
  'loja-7',
  '2026-0042',
  '0042',
  'antonia 0042',
])('a payment is found by %j', (text) => {
  expect(finds(text)).toBe(true);
});

test.each(['tonia', 'antonia silva', '982.247', 'example.com', '042', 'oja', '99 98765-4321', '🎉'])(
  'a payment is not found by %j',
  (text) => {
    expect(finds(text)).toBe(false);
  },
);

test('without the right to read payers, only references are searched', () => {
  for (const text of ['antonia', '52998224725', '11987654321', 'antonia.ferraz@example.com']) {
    expect(finds(text, payment, false)).toBe(false);
    expect(parseSearchText(text, { seesPayers: false }).documents).toEqual([]);
  }
  expect(finds('0042', payment, false)).toBe(true);
});

test.each([
  ['a right-to-left name', { payerName: 'محمد علي' }, 'علي'],
  ['a name of 247 characters', { payerName: 'a'.repeat(247) }, 'a'.repeat(247)],
  ['a Chinese name', { payerName: '王小明' }, '王小'],
  ['an alphanumeric CNPJ', { payerDocument: '12.ABC.345/01DE-35' }, '12abc34501de35'],
  ['a reference of words', { externalId: 'Pedido Nº 77 da loja' }, 'pedido 77'],
  ['a reference that is a UUID', { externalId: '6F9619FF-8B86-D011-B42D-00C04FC964FF' }, '6f9619ff-8b86'],
])('%s is found', (_name, fields, text) => {
  expect(finds(text, { ...nothing, ...fields })).toBe(true);
});

test('terms are few, short and without duplicates, whatever a payment has', () => {
  const terms = termsOf({
    externalId: 'a-'.repeat(127),
    payerName: 'x y z '.repeat(40) + 'w'.repeat(255),
    payerDocument: 'not a document',
    payerEmail: `${'e'.repeat(240)}@example.com`,
    payerPhone: '',
    pixCopyPaste: 'not a code',
    txid: 'x'.repeat(35),
  });
  expect(new Set(terms).size).toBe(terms.length);
  expect(terms.length).toBeLessThanOrEqual(15);
  for (const term of terms) expect(term.length).toBeLessThanOrEqual(42);
  expect(termsOf(nothing)).toEqual([]);
});

describe('the key of a code', () => {
  const payee = { merchantName: 'Loja', merchantCity: 'Recife' };
  const location = 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25';

  test('is that of its location, however it is given', () => {
    const code = buildDynamicBrCode({ ...payee, location });
    const key = '9d36b84fc70b478fb95c12729b90ca25';
    expect([code, `${code.slice(0, 40)}\r\n${code.slice(40)} `].map(codeKey)).toEqual([key, key]);
    for (const text of [location, `https://${location}`, `HTTPS://${location}?a=b`]) {
      expect(parseSearchText(text, { seesPayers: false }).attemptId).toBe(
        '9d36b84f-c70b-478f-b95c-12729b90ca25',
      );
    }
  });

  test('is the transaction id of a static code', () => {
    const pixKey = '123e4567-e12b-12d1-a456-426655440000';
    const code = buildStaticBrCode({ ...payee, pixKey, transactionId: 'MPQR0000123' });
    expect(codeKey(code)).toBe('mpqr0000123');
    expect(parseSearchText(code, { seesPayers: false }).codeTerm).toBe('c:mpqr0000123');
  });

  test('is a digest of what says nothing else, and of what is no code', () => {
    const pixKey = '123e4567-e12b-12d1-a456-426655440000';
    const codes = [
      buildStaticBrCode({ ...payee, pixKey }),
      buildStaticBrCode({ ...payee, pixKey, merchantCity: 'Natal' }),
    ];
    const keys = [...codes, 'not a code'].map(codeKey);
    for (const key of keys) expect(key).toMatch(/^#.{16}$/);
    expect(new Set(keys).size).toBe(3);
  });
});

describe('a payer that is looked for', () => {
  const is = (text: string, its: Partial<SearchedFields> = payment): boolean | undefined =>
    parseSoughtPayer(text)?.is({ ...nothing, ...its });

  test.each([
    '529.982.247-25',
    '52998224725',
    'ANTONIA.FERRAZ@example.com',
    '+55 11 98765-4321',
    '11987654321',
    'antônia',
    'sa ant',
  ])('has %s', (text) => {
    expect(is(text)).toBe(true);
  });

  test.each(['529982247', 'antonia.ferraz@example', '98765-4321', 'tonia', 'antonia silva', 'Loja-7'])(
    'does not have %s',
    (text) => {
      expect(is(text)).toBe(false);
    },
  );

  test('may be known by eleven digits that are a CPF or a mobile phone', () => {
    const digits = '11987654321';
    expect(is(digits, { payerDocument: digits })).toBe(true);
    expect(is(digits, { payerPhone: digits })).toBe(true);
  });

  test.each(['12ABC34501DE35', '12.abc.345/01DE-35'])('has the CNPJ %s', (text) => {
    expect(is(text, { payerDocument: '12.ABC.345/01DE-35' })).toBe(true);
  });

  test.each(['', ' ', ';;', '(((((((((((', '-'])('is nobody for %j', (text) => {
    expect(parseSoughtPayer(text)).toBeUndefined();
  });
});

test.each([
  ['slashes', `a.b/${'/'.repeat(100_000)}x`],
  ['question marks', `a.b/x${'?'.repeat(100_000)}\n`],
])('a location of 100 kB of %s is read in no time', (_name, location) => {
  const startedAt = performance.now();
  locationKey(location);
  // Nine seconds with a pattern that begins anew at each of them.
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test.each([
  'https://pix.example.com/qr/v2/abcdef0123',
  'PIX.example.com/qr/v2/ABCDEF0123///',
  'h.io/abcdef0123/?x#y/z',
])('the key of %s is its last segment', (location) => {
  expect(locationKey(location)).toBe('abcdef0123');
});
