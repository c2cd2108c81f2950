import ipaddr from 'ipaddr.js';
import { hostOf } from './hosts.ts';

/** Loopback and Unix sockets cannot be intercepted. */
export function isLocal(host: string): boolean {
  if (host === 'localhost' || host.startsWith('/')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** The driver reads them so: the last value of a repeated parameter counts. */
const parametersOf = ({ searchParams }: URL): Record<string, string | undefined> =>
  Object.fromEntries(searchParams);

const encryptingModes = ['require', 'verify-ca', 'verify-full', 'no-verify'];

/** Readable location of a PostgreSQL, without user and password. */
export function describePostgres(text: string): string {
  const url = new URL(text);
  const { host = decodeURIComponent(url.hostname) || 'localhost', port = url.port } = parametersOf(url);
  return `${decodeURIComponent(url.pathname.slice(1))} at ${host}${port && `:${port}`}`;
}

/** Whether two URLs name the same database of the same host; two names of one host are not known as such. */
export function isSameDatabase(one: string, other: string): boolean {
  const [mine, its] = [one, other].map((text) => {
    const url = new URL(text);
    const { host = decodeURIComponent(hostOf(url)), port = url.port } = parametersOf(url);
    return [isLocal(host) ? 'localhost' : host, port || '5432', url.pathname].join();
  });
  return mine === its;
}

/** Whether traffic to a PostgreSQL could be read by others. */
export function isPlainPostgres(text: string): boolean {
  const url = new URL(text);
  const { host, sslmode, ssl } = parametersOf(url);
  if (isLocal(host ?? decodeURIComponent(hostOf(url)))) return false;
  return sslmode === undefined ? ssl !== 'true' && ssl !== '1' : !encryptingModes.includes(sslmode);
}

/**
 * The driver treats `require` and `verify-ca` like `verify-full` but warns that its next version will not;
 * this makes it explicit. `no-verify` or `uselibpqcompat=true` still ask for less.
 */
export function verifyingCertificates(postgresUrl: string): string {
  if (/[?&]uselibpqcompat=true(?=&|$)/.test(postgresUrl)) return postgresUrl;
  return postgresUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}
