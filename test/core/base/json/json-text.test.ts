import { describe, expect, test } from '@jest/globals';
import { JsonText, printJson } from '../../../../src/core/base/json/json-text.ts';

describe('a JSON text within a value', () => {
  const text = '{"z":1,"__proto__":{"a":[1,2]},"2":"\\u2028 ção 💸","1":{}}';

  test('is printed unchanged, wherever it is', () => {
    const value = {
      a: new JsonText(text),
      list: [new JsonText('{}'), null, 'x'],
      b: { c: new JsonText(text) },
    };
    expect(printJson(value)).toBe(`{"a":${text},"list":[{},null,"x"],"b":{"c":${text}}}`);
    expect(printJson(new JsonText(text))).toBe(text);
  });

  test('is the same value for any other printer', () => {
    expect(JSON.stringify({ a: new JsonText('{"b":[1,{}]}') })).toBe('{"a":{"b":[1,{}]}}');
  });

  test('does not replace an identical placeholder in a string', () => {
    const uuid = '9b2f1c0e-7d35-4f4a-9c1b-2f6f0c0a1d11';
    const told: string[] = [];
    const spying = {
      toJSON: () => {
        // What a text inside gets in its place is made anew for each print.
        told.push(JSON.stringify(new JsonText('{}').toJSON()));
        return told.at(-1);
      },
    };
    const hostile = { '"': '"', uuid, text: `"${uuid}"` };
    expect(JSON.parse(printJson({ hostile, text: new JsonText('{"$&":"$1"}') }))).toEqual({
      hostile,
      text: { '$&': '$1' },
    });
    printJson([spying]);
    printJson([spying]);
    expect(told[0]).not.toBe(told[1]);
  });

  test('leaves no state behind when printing fails', () => {
    const circle: Record<string, unknown> = { text: new JsonText('{}') };
    circle['circle'] = circle;
    expect(() => printJson(circle)).toThrow(/circular/);
    expect(JSON.stringify(new JsonText('{"a":1}'))).toBe('{"a":1}');
    expect(printJson({ a: 1 })).toBe('{"a":1}');
  });
});
