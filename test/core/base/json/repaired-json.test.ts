import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseRepairedJson } from '../../../../src/core/base/json/repaired-json.ts';

describe('JSON with control characters inside its strings', () => {
  test.each([
    ['a line break', '{"a":"1\n2"}', { a: '1\n2' }],
    ['a tab in a name', '{"a\tb":1}', { 'a\tb': 1 }],
    ['one after an escaped quote', '{"a":"\\"\n"}', { a: '"\n' }],
    ['one after an escaped backslash', '{"a":"\\\\","b":"\n"}', { a: '\\', b: '\n' }],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
  ])('is read: %s', (_, text, value) => {
    expect(parseRepairedJson(text)).toEqual(value);
  });

  test.each([
    ['a raw NUL', '["a\0b"]', ['ab']],
    ['an escaped NUL', '{"a":["\\u0000b"]}', { a: ['b'] }],
    ['half a surrogate pair', '["\\ud83d!"]', ['\ufffd!']],
    ['a whole one', '["\\uD83D\\uDE00"]', ['😀']],
    ['what only looks like an escape', '["\\\\u0000"]', ['\\u0000']],
  ])('has no text that PostgreSQL cannot store: %s', (_, text, value) => {
    expect(parseRepairedJson(text)).toEqual(value);
  });

  test.each([
    ['a control character outside of a string', '{"a":\u00011}'],
    ['an escaped line break', '{"a":"\\\n"}'],
    ['an open string', '{"a":"\n'],
    ['nothing', ''],
    ['a page', '<html>\n</html>'],
  ])('is refused as before otherwise: %s', (_, text) => {
    expect(() => parseRepairedJson(text)).toThrow(SyntaxError);
  });

  test('is the value that was printed, whatever its strings hold', () => {
    const rawly = (value: unknown) =>
      JSON.stringify(value).replaceAll(/\\(\\|[bfnrt]|u00[01][0-9a-f])/g, (escaped, what: string) =>
        what === '\\' ? escaped : (JSON.parse(`"${escaped}"`) as string),
      );
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const storable = (_: string, each: unknown) =>
          typeof each === 'string' ? each.replaceAll('\0', '').toWellFormed() : each;
        expect(parseRepairedJson(rawly(value))).toEqual(JSON.parse(JSON.stringify(value), storable));
      }),
    );
  });

  test('takes time in proportion to its length, also when it is made to waste it', () => {
    const text = `{"a":"${'\\"'.repeat(200_000)}`;
    expect(() => parseRepairedJson(text)).toThrow(SyntaxError);
  });
});
