import { z } from 'zod';
import { parseUrl } from '../../core/base/parse-url.ts';
import { breaks, broken } from '../../core/base/problems/rules.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

const isAcceptable = (text: string): boolean => {
  const url = parseUrl(text);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
};

/** URL of one endpoint. Plain http is limited to this machine, for emulators. */
export const endpointUrl = z
  .string('must be a URL')
  .refine(isAcceptable, breaks('must be an https URL without user, query or fragment', broken('https_url')))
  .meta({ format: 'uri' });

/** Looks for them once, however many slashes there are elsewhere. */
const trailingSlashes = /(?<!\/)\/+$/;

/** Base URL of a PSP's API, without trailing slashes. */
export const apiUrl = endpointUrl
  .transform((text) => text.replace(trailingSlashes, ''))
  .meta({ format: 'uri' });

/** A key, token or password sent in a header: printable ASCII without spaces. */
export const secretText = z
  .string('must be a string')
  .refine(
    (text) => /^[!-~]{1,2000}$/.test(text),
    breaks('must be 1 to 2000 printable characters without spaces', broken('printable', { maximum: 2_000 })),
  )
  .meta({ writeOnly: true });
