import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EmulatedCharge, EmulatedRefund, Ledger } from './ledger.ts';
import type { Reply } from './psp.ts';

type LedgerStatus = ReturnType<Ledger['statusOf']>;

export const chargeBody = z.object({
  correlationID: z.string().min(1),
  value: z.int().positive(),
  type: z.literal('DYNAMIC').optional(),
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
    })
    .optional(),
});

export const refundBody = z.object({
  correlationID: z.string(),
  value: z.int().positive().optional(),
  comment: z.string().max(140).optional(),
});

export const refused = (error: string): Reply => ({ status: 400, body: { error } });

const statuses = { active: 'ACTIVE', paid: 'COMPLETED', expired: 'EXPIRED', cancelled: 'EXPIRED' };

export const chargeOf = (charge: EmulatedCharge, status: LedgerStatus) => ({
  status: charge.details['status'] ?? statuses[status],
  value: Number(charge.amountInCents),
  customer: charge.details['customer'] ?? null,
  comment: charge.details['comment'] ?? '',
  identifier: charge.reference,
  correlationID: charge.transactionId,
  paymentLinkID: randomUUID(),
  transactionID: charge.reference,
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
  createdAt: charge.createdAt.toISOString(),
  updatedAt: charge.createdAt.toISOString(),
  ...(charge.pix[0] && { paidAt: charge.pix[0].paidAt.toISOString(), fee: 85 }),
});

export const refundOf = ({ refundId, status, amountInCents, endToEndId, createdAt }: EmulatedRefund) => ({
  status: { pending: 'IN_PROCESSING', completed: 'CONFIRMED', failed: 'REJECTED' }[status],
  value: Number(amountInCents),
  correlationID: refundId,
  endToEndId,
  time: createdAt.toISOString(),
  comment: '',
});
