import { z } from 'zod';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../kit/same-secret.ts';
import type { AsaasSettings } from './settings.ts';

const body = z.object({
  event: z.string(),
  payment: z.object({ id: z.string(), externalReference: z.string().nullish() }).nullish(),
});

export const asaasNotifications: PspNotifications<AsaasSettings> = {
  verify: ({ headers }, { webhookToken }) => isSameSecret(headers['asaas-access-token'], webhookToken),

  charges(raw) {
    const { event, payment } = readNotification(body, raw);
    if (!event.startsWith('PAYMENT_')) return [];
    return notifiedCharge(payment?.externalReference, payment?.id);
  },
};
