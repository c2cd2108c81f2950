import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Special ranges that some versions of `range()` report as unicast. */
const specialV4 = [
  '168.63.129.16/32', // Azure's virtual platform address
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** Names local to a machine or network, by RFC 6761, 6762, 8375 and convention. */
const innerName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** The only block of public addresses. */
const publicV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** That block contains these too: protocol assignments, documentation, 6to4, AS112. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * Whether an address, without brackets, is reachable on the public internet. IPv6 addresses that embed an
 * IPv4 address are not: a gateway may translate them on an inner network.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6
    ? address.match(publicV6) && !specialV6.some((range) => address.match(range))
    : !specialV4.some((range) => address.match(range));
}

/** Whether a host, as of `hostOf`, may be on the public internet. A name without a dot exists only on a local network. */
export const mayBePublic = (host: string): boolean =>
  isIP(host) ? isPublicAddress(host) : host.includes('.') && !innerName.test(host);
