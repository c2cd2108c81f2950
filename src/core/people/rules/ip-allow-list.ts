import ipaddr from 'ipaddr.js';
import { broken, type BrokenRule } from '../../base/problems/rules.ts';

/** Addresses with their prefix lengths. */
export type IpAllowList = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

const mappedPrefix = 96;

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Other spellings of IPv4 (octal, hexadecimal, short) are treated as mistakes.
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

/** The first address of the range, in canonical form. */
const networkOf = ([address, prefix]: IpAllowList[number]): string =>
  (address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6)
    .networkAddressFromCIDR(`${address.toString()}/${prefix}`)
    .toString();

/**
 * Returns the canonical spelling of an address or CIDR range, with IPv4-mapped IPv6 as IPv4. `mistake` continues a sentence
 * that begins with the field's name.
 */
export function parseIpRange(text: string): { range: string } | { mistake: string; broken: BrokenRule } {
  const range = readRange(text.trim());
  if (!range) {
    const mistake = 'must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24';
    return { mistake, broken: broken('ip_range') };
  }
  const [address, prefix] = range;
  const network = networkOf(range);
  const spelled = prefix === bitsOf(address) ? network : `${network}/${prefix}`;
  return network === address.toString()
    ? { range: spelled }
    : {
        mistake: `must start at the first address of its range: ${spelled}`,
        broken: broken('start_of_range', { range: spelled }),
      };
}

/** Expects ranges as returned by `parseIpRange`. */
export const readIpAllowList = (ranges: readonly string[]): IpAllowList =>
  ranges.map(readRange).filter((range) => range !== undefined);

/** False for an address that cannot be parsed. */
export function includesIp(list: IpAllowList, text: string | undefined): boolean {
  if (text === undefined || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return list.some(([base, prefix]) =>
    address instanceof ipaddr.IPv4
      ? base instanceof ipaddr.IPv4 && address.match(base, prefix)
      : base instanceof ipaddr.IPv6 && address.match(base, prefix),
  );
}
