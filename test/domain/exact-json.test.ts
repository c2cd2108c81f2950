import { describe, expect, test } from '@jest/globals';
import { inexactNumberMessage, isExact, parseExactJson } from '../../src/domain/json/exact-json.ts';

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
    // Too large, which is told otherwise.
    '1e309',
  ])('%s is exact in a double', (text) => {
    expect(isExact(text)).toBe(true);
    expect(parseExactJson(`[${text}]`)).toEqual([Number(text)]);
  });

  test.each([
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '10.000000000000000001',
    '1e-400',
    '4e-324',
    '123456789012345678901234567890e-10',
  ])('%s is not exact and becomes a symbol', (text) => {
    expect(isExact(text)).toBe(false);
    const [symbol] = parseExactJson(`[${text}]`) as [symbol];
    expect(typeof symbol).toBe('symbol');
    expect(inexactNumberMessage(symbol)).toContain(`which ${text} is not`);
  });

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
