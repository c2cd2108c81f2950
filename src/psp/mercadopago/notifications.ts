import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { RawNotification } from '../../domain/providers/psp.ts';
import { readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../kit/same-secret.ts';
import type { MercadoPagoSettings } from './settings.ts';

const toleranceMs = 5 * 60_000;
/** `ts` is in seconds or milliseconds: in seconds this would be the year 5138. */
const firstMilliseconds = 1e11;

const instantOf = (timestamp: string): number => {
  const count = Number(timestamp);
  return count < firstMilliseconds ? count * 1000 : count;
};

const signatureOf = (header: string | undefined): { ts?: string; v1?: string } =>
  Object.fromEntries(
    (header ?? '').split(',').flatMap((part) => {
      const [name, value] = part.split('=', 2).map((text) => text.trim());
      return name && value ? [[name, value]] : [];
    }),
  ) as { ts?: string; v1?: string };

/** The signature omits pairs without a value; the id is that of the query string, not of the body. */
export function manifestOf(
  { query, headers }: Pick<RawNotification, 'query' | 'headers'>,
  ts: string,
): string {
  const pairs = [
    ['id', query.get('data.id')],
    ['request-id', headers['x-request-id']],
    ['ts', ts],
  ];
  return pairs.flatMap(([name, value]) => (value ? [`${name}:${value};`] : [])).join('');
}

const body = z.object({
  type: z.string().nullish(),
  data: z.object({ id: z.union([z.int(), z.string()]).transform(String) }).nullish(),
});

export const mercadoPagoNotifications: PspNotifications<MercadoPagoSettings> = {
  verify(raw, { webhookSecret }, { now }) {
    const { ts, v1 } = signatureOf(raw.headers['x-signature']);
    if (!ts || !v1 || !/^\d{1,16}$/.test(ts)) return false;
    if (Math.abs(now().getTime() - instantOf(ts)) > toleranceMs) return false;
    const expected = createHmac('sha256', webhookSecret).update(manifestOf(raw, ts)).digest('hex');
    return isSameSecret(v1, expected);
  },

  charges(raw) {
    const { type, data } = readNotification(body, raw);
    const kind = raw.query.get('type') ?? type;
    const reference = raw.query.get('data.id') ?? data?.id;
    const isPayment = kind === 'payment' && reference !== undefined && /^\d{1,20}$/.test(reference);
    return isPayment ? [{ transactionId: null, reference }] : [];
  },
};
