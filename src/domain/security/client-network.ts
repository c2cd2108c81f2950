import ipaddr from 'ipaddr.js';

/** What one client is given of IPv6; it has all the addresses in it. */
const clientPrefix = 56;

/** What stands for one client where addresses are counted: an IPv4 address, or a network of IPv6. */
export function clientNetwork(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv4
    ? address.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${clientPrefix}`).toString();
}
