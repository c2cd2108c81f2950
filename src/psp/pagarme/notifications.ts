import { z } from 'zod';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../../core/encryption/rules/same-secret.ts';
import type { PagarmeSettings } from './settings.ts';

const named = z.object({ id: z.string(), code: z.string().nullish() });

const body = z.object({
  type: z.string(),
  data: named.extend({ order: named.nullish() }),
});

export const pagarmeNotifications: PspNotifications<PagarmeSettings> = {
  verify: ({ headers }, { webhookUser, webhookPassword }) => {
    const [, given] = /^basic +(\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
    return isSameSecret(given, Buffer.from(`${webhookUser}:${webhookPassword}`).toString('base64'));
  },

  charges(raw) {
    const { type, data } = readNotification(body, raw);
    if (type.startsWith('order.')) return notifiedCharge(data.code, data.id);
    if (type.startsWith('charge.')) return notifiedCharge(data.order?.code ?? data.code, data.order?.id);
    return [];
  },
};
