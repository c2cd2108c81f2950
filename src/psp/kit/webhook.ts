import { parseUrl } from '../../core/base/parse-url.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';

/** Implemented by adapters whose PSP registers webhooks by API. */
export type WebhookMethods = Required<Pick<PspAdapter, 'findWebhook' | 'registerWebhook'>>;

/** Compares only the path: it contains the credential's token, so the URL is recognised even after PUBLIC_URL has changed. */
export const isOurUrl = (url: string, notificationUrl: string): boolean =>
  parseUrl(url)?.pathname === new URL(notificationUrl).pathname;

/** Throws why a PSP refused to register a webhook: usually because of the URL, which it calls first. */
export function throwWebhookRefusal(error: unknown): never {
  if (!(error instanceof PspError)) throw error;
  if (error.reason !== undefined && error.reason !== 'request_refused') throw error;
  throw new PspError(error.failure, error.message, { reason: 'webhook_refused' });
}
