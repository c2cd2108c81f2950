import type { Queryable } from '../database.ts';

export interface PaymentDetailRow {
  paidLate: boolean;
  duplicatePayment: boolean;
  attempts: {
    id: string;
    position: number;
    provider: string;
    credentialId: string | null;
    reason: string;
    outcome: string;
    error: string | null;
    pspReference: string | null;
    latencyMs: number | null;
    createdAt: Date;
  }[];
}

const attemptFields = {
  id: true,
  position: true,
  provider: true,
  credentialId: true,
  reason: true,
  outcome: true,
  error: true,
  pspReference: true,
  latencyMs: true,
  createdAt: true,
} as const;

/** The columns that payment views leave out. */
export const findPaymentDetails = (db: Queryable, id: string): Promise<PaymentDetailRow | null> =>
  db.payment.findUnique({
    where: { id },
    select: {
      paidLate: true,
      duplicatePayment: true,
      attempts: { select: attemptFields, orderBy: { position: 'asc' } },
    },
  });
