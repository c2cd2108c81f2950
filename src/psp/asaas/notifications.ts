import { z } from 'zod';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../../core/encryption/rules/same-secret.ts';
import type { AsaasSettings } from './settings.ts';

const body = z.object({
  event: z.string(),
  payment: z
    .object({
      id: z.string(),
      externalReference: z.string().nullish(),
      status: z.string().nullish().catch(undefined),
      pixTransaction: z.string().nullish().catch(undefined),
    })
    .nullish(),
});

export const asaasNotifications: PspNotifications<AsaasSettings> = {
  verify: ({ headers }, { webhookToken }) => isSameSecret(headers['asaas-access-token'], webhookToken),

  charges(raw) {
    const { event, payment } = readNotification(body, raw);
    if (!event.startsWith('PAYMENT_')) return [];
    // Other events may tell what became of the money, which the Pix alone does not show.
    const isReceived = event === 'PAYMENT_RECEIVED' && payment?.status === 'RECEIVED';
    const pixReference = isReceived ? payment.pixTransaction : null;
    return notifiedCharge(payment?.externalReference, payment?.id, pixReference);
  },
};
