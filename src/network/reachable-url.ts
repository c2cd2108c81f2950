import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';

/** Whether somebody on the internet may reach this URL: over https, and not at a private host. */
export function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return false;
  return isIP(host)
    ? isPublicAddress(host)
    : host.includes('.') && !/\.(local|internal|localhost)$/.test(host);
}
