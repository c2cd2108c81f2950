import ipaddr from 'ipaddr.js';

/** Where a key may be used from: each an address with the length of its prefix. */
export type IpAllowList = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

/** Before the 32 bits of an IPv4-mapped IPv6 address. */
const mappedPrefix = 96;

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The other spellings of IPv4 (octal, hexadecimal, short) are mistakes here.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

const bitsOf = (address: ipaddr.IPv4 | ipaddr.IPv6): number => address.toByteArray().length * 8;

function readRange(text: string): IpAllowList[number] | undefined {
  const [, base = '', length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = readAddress(base);
  if (!address) return undefined;
  const bits = bitsOf(address);
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return undefined;
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= mappedPrefix
    ? [address.toIPv4Address(), prefix - mappedPrefix]
    : [address, prefix];
}

/** The lowest address of a range, by which the range is named. */
const networkOf = ([address, prefix]: IpAllowList[number]): string =>
  (address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6)
    .networkAddressFromCIDR(`${address.toString()}/${prefix}`)
    .toString();

/**
 * The one spelling of an address or CIDR range, IPv4-mapped IPv6 as IPv4; else what is wrong, to be said after
 * the name of the field.
 */
export function parseIpRange(text: string): { range: string } | { mistake: string } {
  const range = readRange(text.trim());
  if (!range) return { mistake: 'must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24' };
  const [address, prefix] = range;
  const network = networkOf(range);
  const spelled = prefix === bitsOf(address) ? network : `${network}/${prefix}`;
  return network === address.toString()
    ? { range: spelled }
    : { mistake: `must begin where its range does: ${spelled}` };
}

/** Of ranges as parseIpRange spells them. */
export const readIpAllowList = (ranges: readonly string[]): IpAllowList =>
  ranges.map(readRange).filter((range) => range !== undefined);

/** Whether an address is in one of the ranges; one that cannot be read is in none. */
export function includesIp(list: IpAllowList, text: string | undefined): boolean {
  if (text === undefined || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return list.some(([base, prefix]) =>
    address instanceof ipaddr.IPv4
      ? base instanceof ipaddr.IPv4 && address.match(base, prefix)
      : base instanceof ipaddr.IPv6 && address.match(base, prefix),
  );
}
