import { isIP } from 'node:net';
import { badRequest } from '../domain/errors.ts';
import type { Mode } from '../domain/mode.ts';
import { isPublicAddress } from '../network/addresses.ts';
import { allowing, hostOf } from '../network/hosts.ts';

const maximumLength = 2_048;

/** Names of one machine or one network, by RFC 6761, 6762, 8375 and by custom. */
const innerName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

export interface WebhookUrlRules {
  /** Plain http is for test mode, and for allowed hosts. */
  mode: Mode;
  /** As createWebhookSender takes them. */
  allowedHosts: readonly string[];
}

/** A bad request unless webhooks may be sent there. Addresses behind a name are looked at when one is sent. */
export function assertWebhookUrl(text: string, { mode, allowedHosts }: WebhookUrlRules): URL {
  const tooLong = `url must be at most ${maximumLength} characters`;
  if (text.length > maximumLength) throw badRequest(tooLong);
  if (!URL.canParse(text)) throw badRequest('url must be a URL such as https://shop.example.com/pix');
  const url = new URL(text);
  if (url.href.length > maximumLength) throw badRequest(tooLong);
  const isAllowed = allowing(allowedHosts)(url);
  const mayBePlain = mode === 'test' || isAllowed;
  if (url.username || url.password) throw badRequest('url must not hold a user name or a password');
  if (url.hash || text.includes('#')) throw badRequest('url must not have a fragment');
  if (/^https?:$/.test(url.protocol) && !isAllowed && !mayBePublic(hostOf(url))) {
    throw badRequest(
      `url must have a host on the public internet, and WEBHOOK_ALLOWED_HOSTS does not list ${hostOf(url)}: the server and the command line read it alike`,
    );
  }
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:')) {
    throw badRequest(mayBePlain ? 'url must be https or http' : 'url must be https');
  }
  return url;
}

/** A name without a dot exists on an inner network only. */
const mayBePublic = (host: string): boolean =>
  isIP(host) ? isPublicAddress(host) : host.includes('.') && !innerName.test(host);
