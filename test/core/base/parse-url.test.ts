import { expect, test } from '@jest/globals';
import { parseUrl } from '../../../src/core/base/parse-url.ts';

test('a URL with an accent is one, however often it is parsed', () => {
  for (let times = 0; times < 20_000; times += 1)
    if (!parseUrl('https://açaí.example.com/')) throw new Error(`not the ${times + 1}th time`);
  expect(parseUrl('https://açaí.example.com/')?.hostname).toBe('xn--aa-4iaz.example.com');
});

test.each(['', '/path', 'shop.example.com', 'https://'])('%j is no URL', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
