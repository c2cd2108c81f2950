import { describe, expect, test } from '@jest/globals';
import { badRequest } from '../../../../src/core/base/errors.ts';
import {
  inexactNumberMessage,
  isExact,
  markInexact,
  parseExactJson,
} from '../../../../src/core/base/json/exact-json.ts';

describe('a number', () => {
  test.each([
    '0',
    '-0',
    '0.0',
    '1',
    '1.0',
    '1.50',
    '0.1',
    '1e2',
    '1E+2',
    '100e-2',
    '0.30000000000000004',
    '9007199254740991',
    '9007199254740992',
    '12345678901234567000',
    '1.2345678901234567e19',
    '1e21',
    '1e308',
    '5e-324',
    '0e999',
    // What is not whole is what a double makes of it.
    '0.1000000000000000055511151231257827',
    '10.000000000000000001',
    '29.949999999999999',
    '8.9900000000000002E+001',
    '1e-400',
    '4e-324',
    '123456789012345678901234567890e-10',
    // Too large, which is told otherwise.
    '1e309',
  ])('%s is exact in a double', (text) => {
    expect(isExact(text)).toBe(true);
    expect(parseExactJson(`[${text}]`)).toEqual([Number(text)]);
  });

  test.each(['12345678901234567890', '-12345678901234567890', '9007199254740993', '123456789012345678901'])(
    '%s is not exact and becomes a symbol',
    (text) => {
      expect(isExact(text)).toBe(false);
      const [symbol] = parseExactJson(`[${text}]`) as [symbol];
      expect(typeof symbol).toBe('symbol');
      expect(inexactNumberMessage(symbol)).toContain(`which ${text} is not`);
    },
  );

  test('is quoted in at most forty characters', () => {
    expect(inexactNumberMessage('1'.repeat(60_000))).toHaveLength(
      inexactNumberMessage('1'.repeat(40)).length + 1,
    );
  });
});

describe('anything but a number', () => {
  test.each([
    '"12345678901234567890"',
    '"\\"12345678901234567890"',
    '{"12345678901234567890":"\\\\"}',
    '{"__proto__":{"a":"1234567890123456.5"},"a,1e999":[]}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"A":"{\\"a\\":1,\\"a\\":2}","a:":":"}',
  ])('is parsed as by JSON.parse: %s', (json) => {
    expect(JSON.stringify(parseExactJson(json))).toBe(JSON.stringify(JSON.parse(json)));
  });

  test.each([
    '',
    '{12345678901234567890: 1}',
    '[012345678901234567890]',
    '[12345678901234567890',
    '[.1234567890123456]',
  ])('is refused as by JSON.parse: %s', (json) => {
    expect(() => parseExactJson(json)).toThrow(/JSON/);
  });

  test('keeps its member next to such a number', () => {
    const parsed = parseExactJson('{"__proto__":{"a":1},"b":12345678901234567890}') as object;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'b']);
    expect('a' in Object.getPrototypeOf(parsed)).toBe(false);
  });
});

describe('a member that an object has twice', () => {
  test.each([
    ['{"amount":1,"amount":2}', 'amount'],
    ['{"amount":1,"\\u0061mount":1}', 'amount'],
    ['{"amount":1,"amount"\n : 1}', 'amount'],
    ['{"payer":{"name":"a","email":"b","name":"a"}}', 'payer.name'],
    ['{"payer":{"name":"a"},"x":1,"payer":{}}', 'payer'],
    ['{"a":[{"b":1},{"c":{"d":1,"d":[]}}]}', 'a.c.d'],
    ['{"a":{},"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    [`{"${'x'.repeat(500)}":1,"${'x'.repeat(500)}":2}`, 'x'.repeat(200)],
  ])('is refused by its name: %s', (json, name) => {
    expect(() => parseExactJson(json)).toThrow(badRequest(`${name} must be given once`));
  });
});

test('a text with a string that never ends is read once, however many escapes it has', () => {
  const startedAt = performance.now();
  // Thirty thousand times as long, if each quote began another attempt.
  expect(markInexact('"\\"'.repeat(300_000))).toHaveLength(900_000);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
