import { z } from 'zod';
import type { Mode } from '../../base/mode.ts';
import { parseUrl } from '../../base/parse-url.ts';
import { breaks, broken } from '../../base/problems/rules.ts';
import { isAtMost } from '../../base/text.ts';

const maximumLength = 2_000;

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

const isSecure = (url: URL, mode: Mode): boolean =>
  url.protocol === 'https:' || (mode === 'test' && url.protocol === 'http:' && isLoopback(url));

const secureRule: Record<Mode, string> = {
  live: 'must be an https URL',
  test: 'must be an https URL, or http to localhost',
};

const tooLong = breaks(
  `must be at most ${maximumLength} characters, percent-encoded`,
  broken('max_length', { maximum: maximumLength }),
);

/** Where a checkout page leads back to; the output is in the form that browsers send. */
export const returnUrlSchema = (mode: Mode) =>
  z
    .string({ error: 'must be a string' })
    .refine((text) => isAtMost(text, maximumLength), { ...tooLong, abort: true })
    .refine(
      (text) => {
        const url = text.isWellFormed() ? parseUrl(text) : undefined;
        return url !== undefined && isSecure(url, mode);
      },
      { ...breaks(secureRule[mode], broken('https_url')), abort: true },
    )
    .refine(
      (text) => {
        const url = parseUrl(text);
        return !url?.username && !url?.password;
      },
      breaks('must not contain a user name or a password', broken('bare_url')),
    )
    .transform((text) => new URL(text).href)
    // Percent-encoding can make three characters or more of one.
    .refine((href) => href.length <= maximumLength, tooLong)
    .meta({
      format: 'uri',
      maxLength: maximumLength,
      description: `Where the checkout page leads back to: an https URL (for test keys also http to localhost) of at most ${maximumLength} characters, percent-encoded. \`payment_id\` and \`status\` are appended to its query.`,
    });

/** Appended as text: parsing the query and printing it again could change what the shop has signed. */
export function returnUrlWith(returnUrl: string, paymentId: string, status: string): string {
  const [address = '', ...fragment] = returnUrl.split('#');
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  const parameters = `payment_id=${encodeURIComponent(paymentId)}&status=${encodeURIComponent(status)}`;
  return [`${address}${separator}${parameters}`, ...fragment].join('#');
}
