import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { RawNotification } from '../../core/providers/rules/psp.ts';
import { readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../../core/encryption/rules/same-secret.ts';
import type { MercadoPagoSettings } from './settings.ts';

const signatureOf = (header: string | undefined): { ts?: string; v1?: string } =>
  Object.fromEntries(
    (header ?? '').split(',').flatMap((part) => {
      const [name, value] = part.split('=', 2).map((text) => text.trim());
      return name && value ? [[name, value]] : [];
    }),
  ) as { ts?: string; v1?: string };

/**
 * The signature omits pairs without a value; the id is that of the query string, not of the body. An id with letters, as
 * those of orders (`ORD01…`), is signed in lower case (mercadopago.com.br/developers, Webhooks).
 */
function manifestOf(
  { query, headers }: Pick<RawNotification, 'query' | 'headers'>,
  ts: string,
  isLowered = false,
): string {
  const id = query.get('data.id');
  const pairs = [
    ['id', isLowered ? id?.toLowerCase() : id],
    ['request-id', headers['x-request-id']],
    ['ts', ts],
  ];
  return pairs.flatMap(([name, value]) => (value ? [`${name}:${value};`] : [])).join('');
}

const id = z.union([z.int(), z.string()]).transform(String);

/** `topic` and `resource` are those of the older form (IPN), which has them in the query as `topic` and `id`. */
const body = z.object({
  type: z.string().nullish(),
  data: z.object({ id }).nullish(),
  topic: z.string().nullish(),
  resource: id.nullish(),
});

const nothing: z.output<typeof body> = {};

export const mercadoPagoNotifications: PspNotifications<MercadoPagoSettings> = {
  /**
   * The time is signed, but not checked: retries after hours keep the first one, and the official SDK does not check it
   * either (mercadopago/sdk-nodejs, WebhookSignatureValidator). What is unsigned, as notifications to the URL of a payment
   * may be, is unproven, and so is everything until the credential has the secret.
   */
  verify(raw, { webhookSecret }) {
    const header = raw.headers['x-signature'];
    if (header === undefined || webhookSecret === undefined) return 'unproven';
    const { ts, v1 } = signatureOf(header);
    if (!ts || !v1 || !/^\d{1,16}$/.test(ts)) return false;
    return [false, true].some((isLowered) => {
      const manifest = manifestOf(raw, ts, isLowered);
      return isSameSecret(v1, createHmac('sha256', webhookSecret).update(manifest).digest('hex'));
    });
  },

  charges(raw) {
    const { query } = raw;
    const { type, data, topic, resource } = raw.body.length > 0 ? readNotification(body, raw) : nothing;
    const kind = query.get('type') ?? query.get('topic') ?? type ?? topic;
    const [, resourceId] = /\/payments\/(\d+)$/.exec(resource ?? '') ?? [];
    const reference = query.get('data.id') ?? data?.id ?? query.get('id') ?? resourceId ?? resource;
    const isPayment = kind === 'payment' && reference != null && /^\d{1,20}$/.test(reference);
    return isPayment ? [{ transactionId: null, reference }] : [];
  },
};
