import { mayBePublic } from './addresses.ts';
import { hostOf } from './hosts.ts';

/** Whether somebody on the internet may reach this URL: over https, and not at a private host. */
export function isReachable(text: string): boolean {
  const url = new URL(text);
  return url.protocol === 'https:' && mayBePublic(hostOf(url));
}
