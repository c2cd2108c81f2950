import ipaddr from 'ipaddr.js';

/** The IPv6 prefix that a single client typically controls. */
const clientPrefix = 56;

/** Identifies a client for rate limits: an IPv4 address or an IPv6 network. */
export function clientNetwork(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv4
    ? address.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${clientPrefix}`).toString();
}
