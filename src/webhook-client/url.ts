import { parseUrl } from '../core/base/parse-url.ts';
import { badRequest } from '../core/base/errors.ts';
import type { Mode } from '../core/base/mode.ts';
import { problem } from '../core/base/problems/rules.ts';
import { mayBePublic } from '../network/addresses.ts';
import { createAllowList, hostOf } from '../network/hosts.ts';

const maximumLength = 2_048;

export interface WebhookUrlRules {
  /** Plain http is accepted in test mode and for allowed hosts. */
  mode: Mode;
  /** Means the same as for `createWebhookClient`. */
  allowedHosts: readonly string[];
}

/**
 * Fails with `invalid_request` unless webhooks may be sent there. The addresses behind a name are checked
 * when sending.
 */
export function assertWebhookUrl(text: string, { mode, allowedHosts }: WebhookUrlRules): URL {
  const tooLong = `url must be at most ${maximumLength} characters`;
  const isTooLong = problem('url', 'max_length', { maximum: maximumLength });
  if (text.length > maximumLength) throw badRequest(tooLong, isTooLong);
  const url = parseUrl(text);
  if (!url) throw badRequest('url must be a URL such as https://shop.example.com/pix', problem('url', 'url'));
  if (url.href.length > maximumLength) throw badRequest(tooLong, isTooLong);
  const isAllowed = createAllowList(allowedHosts)(url);
  const mayBePlain = mode === 'test' || isAllowed;
  if (url.username || url.password)
    throw badRequest('url must not contain a user name or a password', problem('url', 'bare_url'));
  if (url.hash || text.includes('#'))
    throw badRequest('url must not have a fragment', problem('url', 'bare_url'));
  if (/^https?:$/.test(url.protocol) && !isAllowed && !mayBePublic(hostOf(url))) {
    throw badRequest(
      `url must have a host on the public internet, or one listed in WEBHOOK_ALLOWED_HOSTS, which does not list ${hostOf(url)}: set it for both the server and the command line`,
      problem('url', 'public_url', { host: hostOf(url) }),
    );
  }
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:')) {
    throw badRequest(
      mayBePlain ? 'url must be https or http' : 'url must be https',
      problem('url', mayBePlain ? 'url' : 'https_url'),
    );
  }
  return url;
}
