import { parseUrl } from '../../base/parse-url.ts';

/** A part of a path that is longer may be a secret. */
const longestPart = 20;

/** The host and path of a URL, without what may be a secret in it. What is no URL stays as it is. */
export function shortUrl(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) return text;
  const path = url.pathname.split('/').map((part) => (part.length > longestPart ? '…' : part));
  return `${url.host}${path.join('/')}`.replace(/\/$/, '');
}
