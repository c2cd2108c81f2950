import { expect, test } from '@jest/globals';
import { shortUrl } from '../../../../src/core/webhooks/rules/short-url.ts';

test.each([
  ['https://shop.example.com/', 'shop.example.com'],
  ['https://shop.example.com/pix/events', 'shop.example.com/pix/events'],
  ['https://shop.example.com:8443/pix?token=secret#part', 'shop.example.com:8443/pix'],
  ['https://user:secret@shop.example.com/pix', 'shop.example.com/pix'],
  [
    'https://hooks.example.com/services/T024BE7LD/B024BE7LH/x7Kq2mP9vLr4TbZ8wN1cYs6d',
    'hooks.example.com/services/T024BE7LD/B024BE7LH/…',
  ],
  ['shop.example.com/pix', 'shop.example.com/pix'],
  ['Shop: orders', 'Shop: orders'],
])('%s is shown as %s, without what may be a secret', (url, shown) => {
  expect(shortUrl(url)).toBe(shown);
});
