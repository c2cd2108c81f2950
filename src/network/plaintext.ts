import ipaddr from 'ipaddr.js';
import { hostOf } from './hosts.ts';

/** What stays on this machine nobody can listen to on the way: loopback, and the file of a Unix socket. */
function isLocal(host: string): boolean {
  if (host === 'localhost' || host.startsWith('/')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** As the driver reads them: of a parameter that is given twice the last one counts. */
const parametersOf = ({ searchParams }: URL): Record<string, string | undefined> =>
  Object.fromEntries(searchParams);

const encryptingModes = ['require', 'verify-ca', 'verify-full', 'no-verify'];

/** Where a PostgreSQL is, for people to read: without user and password. */
export function placeOfPostgres(text: string): string {
  const url = new URL(text);
  const { host = decodeURIComponent(url.hostname) || 'localhost', port = url.port } = parametersOf(url);
  return `${decodeURIComponent(url.pathname.slice(1))} at ${host}${port && `:${port}`}`;
}

/** Whether others could read what is sent to a PostgreSQL. */
export function isPlainPostgres(text: string): boolean {
  const url = new URL(text);
  const { host, sslmode, ssl } = parametersOf(url);
  if (isLocal(host ?? decodeURIComponent(hostOf(url)))) return false;
  return sslmode === undefined ? ssl !== 'true' && ssl !== '1' : !encryptingModes.includes(sslmode);
}

/** Whether others could read what is sent to a Redis. */
export function isPlainRedis(text: string): boolean {
  const url = new URL(text);
  return url.protocol !== 'rediss:' && !isLocal(hostOf(url));
}

/**
 * The driver verifies certificates for `require` and `verify-ca` as for `verify-full`, warns at each start that its next
 * version will not, and is kept to it here. Who wants less says `no-verify`, or `uselibpqcompat=true`.
 */
export function verifyingCertificates(postgresUrl: string): string {
  if (parametersOf(new URL(postgresUrl))['uselibpqcompat'] === 'true') return postgresUrl;
  return postgresUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}
