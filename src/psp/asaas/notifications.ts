import { z } from 'zod';
import type { NotifiedCharge } from '../../core/providers/rules/charge.ts';
import { notifiedCharge, readNotification } from '../kit/notification.ts';
import type { PspNotifications } from '../kit/provider.ts';
import { isSameSecret } from '../../core/encryption/rules/same-secret.ts';
import type { AsaasSettings } from './account/settings.ts';
import { referenceOf } from './mapping.ts';

const named = z.object({ id: z.string() }).nullish().catch(undefined);
const instruction = z.object({ paymentId: z.string() }).nullish().catch(undefined);

const body = z.object({
  event: z.string(),
  payment: z
    .object({
      id: z.string(),
      externalReference: z.string().nullish(),
      status: z.string().nullish().catch(undefined),
      pixTransaction: z.string().nullish().catch(undefined),
      pixQrCodeId: z.string().nullish().catch(undefined),
    })
    .nullish(),
  // "Eventos para Pix Automático" has the first names of each; the others were seen.
  authorization: named,
  pixAutomaticRecurringAuthorization: named,
  pixAutomaticAuthorization: named,
  paymentInstruction: instruction,
  pixAutomaticRecurringPaymentInstruction: instruction,
});

function recurring(told: z.output<typeof body>): NotifiedCharge[] {
  const { id } =
    told.authorization ?? told.pixAutomaticRecurringAuthorization ?? told.pixAutomaticAuthorization ?? {};
  const { paymentId } = told.paymentInstruction ?? told.pixAutomaticRecurringPaymentInstruction ?? {};
  return [
    ...(id === undefined ? [] : [{ transactionId: null, reference: null, recurrence: id }]),
    ...notifiedCharge(null, paymentId).map((each) => ({ ...each, kind: 'recurring' as const })),
  ];
}

export const asaasNotifications: PspNotifications<AsaasSettings> = {
  verify: ({ headers }, { webhookToken }) => isSameSecret(headers['asaas-access-token'], webhookToken),

  charges(raw) {
    const told = readNotification(body, raw);
    const { event, payment } = told;
    if (event.startsWith('PIX_AUTOMATIC_RECURRING_')) return recurring(told);
    if (!event.startsWith('PAYMENT_')) return [];
    // Other events may tell what became of the money, which the Pix alone does not show.
    const isReceived = event === 'PAYMENT_RECEIVED' && payment?.status === 'RECEIVED';
    const pixReference = isReceived ? payment.pixTransaction : null;
    return notifiedCharge(payment?.externalReference, payment && referenceOf(payment), pixReference);
  },
};
