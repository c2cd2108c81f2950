import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type EmulatedCharge,
  type EmulatedPix,
  type EmulatedRefund,
  hasNoCharge,
  isDebit,
  type Ledger,
  receivedInCents,
} from './ledger.ts';
import type { Reply } from './psp.ts';
import { address, dueMembers, printedDue } from './woovi-due.ts';

type LedgerStatus = ReturnType<Ledger['statusOf']>;

export const wooviSwitches = {
  noTransactionId: 'A charge has neither transactionID nor identifier.',
  noPix: 'A notification of a paid charge says nothing of its Pix.',
  noTransactions: 'The AppID may see neither transactions nor disputes: 403.',
  unsignedPings: 'The ping at the registration of a webhook is not signed.',
  testWebhook: 'The ping at the registration of a webhook is {"evento": "teste_webhook"}.',
  disputes: 'A paid charge is in dispute; once this is off, the dispute was rejected.',
  disputesLost: 'The dispute of a paid charge was accepted.',
  noFileEvidence: 'The account lacks the feature DISPUTE_EVIDENCE_FILE_ID: 403.',
  noDisputeValue: 'A dispute does not say of how much, as that of a MED.',
  monthlyInterest: 'Interest is of a month, by the day, and fractions are dropped, as in the CobvSimulator.',
  expiresOnDueDate: 'A charge of type OVERDUE is EXPIRED from its due date on, and can still be paid.',
  utcDays: 'The days of discounts are counted from the day of UTC.',
  extendsWeekends: 'A due date that is no business day is extended, as in the API Pix.',
  lost: 'Notifications never come.',
  monthsAhead: 'A subscription has the installments of six periods, not the next one alone.',
  wrappedInstallment: 'An installment is answered as {"installment": …}.',
  noTries: 'An installment does not say of its attempts when it is asked for.',
  retriesManual: 'Woovi itself retries the debits that it was asked for too.',
} as const;

export type WooviSwitch = keyof typeof wooviSwitches;

type Has = (name: WooviSwitch) => boolean;

export const disputeIdOf = ({ transactionId }: EmulatedCharge): string => transactionId.slice(0, 24);

/** Undefined while there was none. A dispute that was there once stays. */
export function disputeOf(charge: EmulatedCharge, has: Has) {
  const [pix] = charge.pix;
  if (!pix) return undefined;
  if (has('disputes') || has('disputesLost')) charge.details['wasDisputed'] = true;
  if (!charge.details['wasDisputed']) return undefined;
  return {
    status: has('disputesLost')
      ? ('ACCEPTED' as const)
      : has('disputes')
        ? ('OPENED' as const)
        : ('REJECTED' as const),
    endToEndId: pix.endToEndId,
    ...(!charge.details['hidesDisputeId'] && { id: disputeIdOf(charge) }),
    name: 'Seu Jorge',
    email: 'jorge@example.com',
    phoneNumber: '+5519989673846',
    ...(!has('noDisputeValue') && {
      value: Number(charge.details['claimedInCents'] ?? receivedInCents(charge)),
    }),
    disputeReason: 'Golpe do Seu Jorge',
    type: 'CHARGEBACK',
  };
}

export const transactionOf = (charge: EmulatedCharge, pix: EmulatedPix) => ({
  ...(!isDebit(charge) &&
    !hasNoCharge(charge) && {
      charge: { status: 'COMPLETED', correlationID: charge.transactionId },
    }),
  value: Number(pix.amountInCents),
  time: pix.paidAt.toISOString(),
  transactionID: charge.reference,
  type: 'PAYMENT',
  endToEndId: pix.endToEndId,
  ...(pix.payer && {
    infoPagador: 'OpenPix testing',
    payer: {
      name: pix.payer.name,
      taxID: {
        taxID: pix.payer.document,
        type: pix.payer.document.length === 11 ? 'BR:CPF' : 'BR:CNPJ',
      },
    },
  }),
});

export const chargeBody = z.object({
  correlationID: z.string().min(1),
  value: z.int().positive(),
  type: z.enum(['DYNAMIC', 'OVERDUE']).optional(),
  comment: z.string().max(140).optional(),
  expiresIn: z.int().positive().optional(),
  customer: z
    .object({
      name: z.string(),
      taxID: z
        .string()
        .regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/)
        .optional(),
      email: z.email().optional(),
      phone: z
        .string()
        .regex(/^\+?\d{8,15}$/)
        .optional(),
      address: address.optional(),
    })
    .optional(),
  ...dueMembers,
});

/** ChargePatchPayload. */
export const patchBody = z.object({
  expiresDate: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
});

export const refundBody = z.object({
  correlationID: z.string(),
  value: z.int().positive().optional(),
  comment: z.string().max(140).optional(),
});

export const refused = (error: string): Reply => ({ status: 400, body: { error } });

const statuses = { active: 'ACTIVE', paid: 'COMPLETED', expired: 'EXPIRED', cancelled: 'EXPIRED' };

export const chargeOf = (charge: EmulatedCharge, status: LedgerStatus, has: Has) => ({
  status: charge.details['status'] ?? statuses[status],
  value: Number(charge.amountInCents),
  customer: charge.details['customer'] ?? null,
  comment: charge.details['comment'] ?? '',
  ...(!has('noTransactionId') && { identifier: charge.reference, transactionID: charge.reference }),
  correlationID: charge.transactionId,
  paymentLinkID: randomUUID(),
  paymentLinkUrl: `https://woovi.example/pay/${charge.reference}`,
  additionalInfo: [],
  discount: 0,
  valueWithDiscount: Number(charge.amountInCents),
  expiresDate: charge.expiresAt.toISOString(),
  expiresIn: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000),
  type: 'DYNAMIC',
  pixKey: 'c4249323-b4ca-43f2-8139-8232aab09b93',
  brCode: charge.details['code'],
  qrCodeImage: `https://api.woovi.example/openpix/charge/brcode/image/${charge.reference}.png`,
  globalID: Buffer.from(`Charge:${charge.reference}`).toString('base64'),
  ...printedDue(charge, has),
  createdAt: charge.createdAt.toISOString(),
  updatedAt: charge.createdAt.toISOString(),
  ...(charge.pix[0] && { paidAt: charge.pix[0].paidAt.toISOString(), fee: 85 }),
});

export const refundOf = ({
  refundId,
  status,
  amountInCents,
  endToEndId,
  createdAt,
  message = '',
}: EmulatedRefund) => ({
  status: { pending: 'IN_PROCESSING', completed: 'CONFIRMED', failed: 'REJECTED' }[status],
  value: Number(amountInCents),
  correlationID: refundId,
  endToEndId,
  time: createdAt.toISOString(),
  comment: message,
});

/** `Refund` of woovi.json has other words than the refunds of a charge. */
export const refundOfPix = (refund: EmulatedRefund) => ({
  ...refundOf(refund),
  status: { pending: 'IN_PROCESSING', completed: 'REFUNDED', failed: 'NOT_ACCOMPLISHED' }[refund.status],
});
