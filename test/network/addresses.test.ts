import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../src/network/addresses.ts';

test.each(['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2804:1::1', '2A00:1450:4001:831::200E'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['link-local', '169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['Azure', '168.63.129.16'],
  ['protocol assignments', '192.0.0.1', '192.0.0.192', '2001:1::1', '2001:2::1', '2001:10::1', '2001:20::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['AS112 and AMT', '192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1'],
  ['6to4 relays', '192.88.99.1'],
  ['benchmarks', '198.18.0.1', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
  ['reserved', '240.0.0.1', '255.255.255.255'],
  ['unspecified', '::'],
  ['unique local', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
  ['site-local', 'fec0::1'],
  ['discard only', '100::1'],
  ['segment routing', '5f00::1'],
  ['never assigned', '4000::1', 'e000::1'],
  ['IPv4 in IPv6', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1'],
  ['6to4', '2002:7f00:1::', '2002:7f00:1::1'],
  ['Teredo', '2001::1', '2001:0:7f00:1::80ff:fffe'],
  ['no address', '', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '8.8.8.8.', '[::1]', '8.8.8.8/32'],
])('%s is not public', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('no IPv6 address that carries an IPv4 address is public, whatever it carries', () => {
  const wrappers = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2002:', '2001::'];
  fc.assert(
    fc.property(fc.constantFrom(...wrappers), fc.ipV4(), (wrapper, inner) => {
      const [a = 0, b = 0, c = 0, d = 0] = inner.split('.').map(Number);
      const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':');
      return !isPublicAddress(`${wrapper}${hex}${wrapper === '2002:' ? '::1' : ''}`);
    }),
  );
});
