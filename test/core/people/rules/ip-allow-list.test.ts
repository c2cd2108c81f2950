import { describe, expect, test } from '@jest/globals';
import {
  includesIp,
  parseIpRange,
  readIpAllowList,
} from '../../../../src/core/people/rules/ip-allow-list.ts';

describe('a range', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7/32 ', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ])('has a canonical spelling: %s is %s', (text, range) => {
    expect(parseIpRange(text)).toEqual({ range });
  });

  test.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.256',
    '0313.0.113.7',
    '0xcb.0.113.7',
    '3405803783',
    '203.0.113.7/33',
    '203.0.113.7/',
    '203.0.113.7/024',
    '203.0.113.7/24/24',
    '203.0.113.7:443',
    '[2001:db8::1]',
    '2001:db8::1/129',
    'fe80::1%eth0',
    '10.0.0.0-10.0.0.9',
    '10.0.0.*',
  ])('cannot be %j', (text) => {
    const mistake = 'must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24';
    expect(parseIpRange(text)).toEqual({ mistake, broken: { rule: 'ip_range', params: {} } });
  });

  test.each([
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['2001:db8::1/64', '2001:db8::/64'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ])('that starts before its address is not corrected silently: %s', (text, range) => {
    expect(parseIpRange(text)).toMatchObject({
      mistake: `must start at the first address of its range: ${range}`,
    });
  });
});

describe('an address', () => {
  const list = readIpAllowList(['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '2001:db9::1']);

  test.each([
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::FFFF:cb00:7107',
    '10.255.255.255',
    '2001:db8:ffff::1',
    '2001:DB9:0::1',
  ])('is included: %s', (ip) => {
    expect(includesIp(list, ip)).toBe(true);
  });

  test.each([
    '203.0.113.8',
    '11.0.0.0',
    '64:ff9b::cb00:7107',
    '2001:db7:ffff::1',
    '2001:db9::2',
    '',
    'unknown',
    undefined,
  ])('is not included: %s', (ip) => {
    expect(includesIp(list, ip)).toBe(false);
  });

  test.each([
    ['0.0.0.0/0', '::1'],
    ['::/0', '203.0.113.7'],
    ['::/0', '::ffff:203.0.113.7'],
  ])('of one family is never in a range of the other: %s and %s', (range, ip) => {
    expect(includesIp(readIpAllowList([range]), ip)).toBe(false);
  });

  test('is never in an empty list', () => {
    expect(includesIp([], '203.0.113.7')).toBe(false);
  });
});
