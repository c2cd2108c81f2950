import { type Cents, cents } from '../../base/money.ts';
import type { AttemptOutcome } from '../../payments/rules/payment.ts';
import { type PixPayer, pixPayerOf } from '../../payments/rules/pix-payer.ts';
import { requester } from '../../refunds/store/refund-lists.ts';
import type { Queryable } from '../../../database/database.ts';

export interface PaymentDetailRow {
  paidLate: boolean;
  duplicatePayment: boolean;
  amountDiffers: boolean;
  otherPayer: boolean;
  attempts: {
    id: string;
    position: number;
    provider: string;
    credentialId: string | null;
    reason: string;
    outcome: AttemptOutcome;
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
      amountDiffers: true,
      otherPayer: true,
      attempts: { select: attemptFields, orderBy: { position: 'asc' } },
    },
  });

export interface ReceivedPixRow {
  /** Its end-to-end id, or what stands in for it. */
  pixId: string;
  attemptId: string;
  amountInCents: Cents;
  paidAt: Date;
  /** What is known to have been returned other than by our refunds. */
  returnedInCents: Cents;
  paidBy: PixPayer | null;
}

/** Oldest first. */
export async function listReceivedPix(
  db: Queryable,
  paymentId: string,
  { limit }: { limit: number },
): Promise<ReceivedPixRow[]> {
  const rows = await db.receivedPix.findMany({
    where: { paymentId },
    orderBy: [{ paidAt: 'asc' }, { endToEndId: 'asc' }],
    take: limit,
  });
  return rows.map(({ endToEndId, reportedEndToEndId, attemptId, paidAt, ...row }) => ({
    pixId: reportedEndToEndId ?? endToEndId,
    attemptId,
    amountInCents: cents(row.amountInCents),
    paidAt,
    returnedInCents: cents(row.returnedInCents),
    paidBy:
      pixPayerOf({ name: row.payerName, document: row.payerDocument, message: row.payerMessage }) ?? null,
  }));
}

export interface RefundRequesterRow {
  refundId: string;
  /** The person's e-mail address, or the name of the key; null for the operator. */
  requestedBy: string | null;
  approvedAt: Date | null;
  /** The e-mail address of who approved it, at the time, or `operator`; null if nobody had to. */
  approvedBy: string | null;
}

/** Who asked for the refunds of a payment, in their order. */
export const listRefundRequesters = (
  db: Queryable,
  paymentId: string,
  { limit }: { limit: number },
): Promise<RefundRequesterRow[]> =>
  db.$queryRaw<RefundRequesterRow[]>`
    SELECT r.id AS "refundId", r.approved_at AS "approvedAt",
      ${requester} AS "requestedBy",
      CASE WHEN r.approved_at IS NOT NULL THEN (
        SELECT a.decider FROM payment p JOIN approval_request a ON a.organization_id = p.organization_id
        -- Stored right after the refund: read from the millisecond of its id on.
        WHERE p.id = r.payment_id AND a.id >= (left(r.id::text, 13) || '-0000-0000-000000000000')::uuid
          AND a.action = 'payment.refund' AND a.subject = p.id::text AND a.after->>'refundId' = r.id::text
        ORDER BY a.organization_id, a.id LIMIT 1) END AS "approvedBy"
    FROM refund r WHERE r.payment_id = ${paymentId}::uuid ORDER BY r.id LIMIT ${limit}`;
