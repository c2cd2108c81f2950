import { isIP } from 'node:net';

/** Part of a URL, or of undici's connect options. */
export interface Target {
  protocol: string;
  hostname: string;
  /** Empty for the protocol's default. */
  port: string;
}

export type IsAllowed = (target: Target) => boolean;

/** Returns lower case, without IPv6 brackets and trailing dots, so that hosts can be compared. */
export const hostOf = ({ hostname }: Pick<Target, 'hostname'>): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');

export const portOf = ({ protocol, port }: Target): string => port || (protocol === 'https:' ? '443' : '80');

interface AllowedHost {
  host: string;
  /** Undefined: any. */
  port: string | undefined;
}

/**
 * Parses `host`, `host:port` or an address, with IPv6 in brackets if a port follows. Undefined for anything
 * else.
 */
export function readAllowedHost(entry: string): AllowedHost | undefined {
  const bare = isIP(entry) === 6 ? `[${entry}]` : entry;
  const [, hostname, port] = /^(\[[^\]]+\]|[^:/?#@\\\s*]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  if (hostname === undefined) return undefined;
  try {
    return { host: hostOf(new URL(`http://${hostname}`)), port };
  } catch {
    return undefined;
  }
}

/** Serves the settings that allow hosts at any address. */
export function createAllowList(entries: readonly string[]): IsAllowed {
  const allowed = entries.map(readAllowedHost).filter((entry) => entry !== undefined);
  return (target) =>
    allowed.some(
      ({ host, port }) => host === hostOf(target) && (port === undefined || port === portOf(target)),
    );
}
