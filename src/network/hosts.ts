import { isIP } from 'node:net';

/** Of a URL, or of what undici makes of one. */
export interface Target {
  protocol: string;
  hostname: string;
  /** Empty: that of the protocol. */
  port: string;
}

export type IsAllowed = (target: Target) => boolean;

/** Lower case, without the brackets of IPv6 and the dot at the end of an absolute name. */
export const hostOf = ({ hostname }: Pick<Target, 'hostname'>): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

export const portOf = ({ protocol, port }: Target): string => port || (protocol === 'https:' ? '443' : '80');

interface AllowedHost {
  host: string;
  /** Undefined: any. */
  port: string | undefined;
}

/** `host`, `host:port`, or an address, IPv6 with a port in brackets. Undefined when it is none of these. */
export function readAllowedHost(entry: string): AllowedHost | undefined {
  const bare = isIP(entry) === 6 ? `[${entry}]` : entry;
  const [, hostname, port] = /^(\[[^\]]+\]|[^:/?#@\\\s*]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const url = `http://${hostname}`;
  if (hostname === undefined || !URL.canParse(url)) return undefined;
  return { host: hostOf(new URL(url)), port };
}

/** Of the settings that allow hosts: their addresses are not looked at. */
export function allowing(entries: readonly string[]): IsAllowed {
  const allowed = entries.map(readAllowedHost).filter((entry) => entry !== undefined);
  return (target) =>
    allowed.some(
      ({ host, port }) => host === hostOf(target) && (port === undefined || port === portOf(target)),
    );
}
