import type { StoredRevision } from './revisions.ts';
import type { Debit } from '../../recurrences/rules/debit.ts';
import type { Due } from '../rules/due/due.ts';
import type { PaidParts } from '../rules/due/paid.ts';
import type { Payment, PaymentStatus } from '../rules/payment.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { paymentColumns, selectPayments } from './payments.ts';

export interface LockedPayment {
  id: string;
  organizationId: string;
  mode: Mode;
  status: PaymentStatus;
  amountInCents: Cents;
  description: string | null;
  due: Due | null;
  debit: Debit | null;
  overdue: boolean;
  /** What it is being changed to. */
  revising: StoredRevision | null;
  paidInCents: Cents | null;
  attemptId: string | null;
  txid: string | null;
  payerDocument: string | null;
  credentialId: string | null;
  createdAt: Date;
  expiresAt: Date;
  confirmedAt: Date | null;
  duplicatePayment: boolean;
  disputed: boolean;
  /** Comes from the request that created it. */
  traceparent: string | null;
}

/** Locks the payment until the transaction ends, so that decisions about it stay valid. */
export async function lockPayment(tx: Queryable, id: string): Promise<LockedPayment | undefined> {
  const [payment] = await tx.$queryRaw<LockedPayment[]>`
    SELECT id, organization_id AS "organizationId", mode::text, status::text, amount_in_cents AS "amountInCents",
      description, due, debit, overdue, revising, paid_in_cents AS "paidInCents",
      attempt_id AS "attemptId", txid, payer_document AS "payerDocument", credential_id AS "credentialId", created_at AS "createdAt", expires_at AS "expiresAt", confirmed_at AS "confirmedAt",
      duplicate_payment AS "duplicatePayment", disputed, traceparent
    FROM payment WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return payment;
}

/** How many events the payment has had, also those that still wait for their numbers. */
export const eventsOfPayment =
  Prisma.raw(`(SELECT count(*)::int FROM event WHERE event.payment_id = payment.id)
  + (SELECT count(*)::int FROM waiting_event WHERE waiting_event.payment_id = payment.id)`);

export async function countEvents(db: Queryable, paymentId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ events: number }[]>`
    SELECT ${eventsOfPayment} AS events FROM payment WHERE id = ${paymentId}::uuid`;
  return row?.events ?? 0;
}

export interface PaymentChange {
  status?: PaymentStatus;
  confirmedAt?: Date;
  cancelledAt?: Date;
  expiresAt?: Date;
  paidLate?: boolean;
  duplicatePayment?: boolean;
  amountDiffers?: boolean;
  otherPayer?: boolean;
  returnDueAt?: Date;
  overdue?: boolean;
  paidInCents?: Cents;
  paidParts?: PaidParts;
  debit?: Debit;
  refundedInCents?: Cents;
  reversedInCents?: Cents;
  disputed?: boolean;
  nextCheckAt?: Date | null;
  txid?: string;
}

const columnOf: Record<Exclude<keyof PaymentChange, 'paidParts' | 'debit'>, string> = {
  status: 'status',
  confirmedAt: 'confirmed_at',
  cancelledAt: 'cancelled_at',
  expiresAt: 'expires_at',
  paidLate: 'paid_late',
  duplicatePayment: 'duplicate_payment',
  amountDiffers: 'amount_differs',
  otherPayer: 'other_payer',
  returnDueAt: 'return_due_at',
  overdue: 'overdue',
  paidInCents: 'paid_in_cents',
  refundedInCents: 'refunded_in_cents',
  reversedInCents: 'reversed_in_cents',
  disputed: 'disputed',
  nextCheckAt: 'next_check_at',
  txid: 'txid',
};

const assignments = ({ paidParts, debit, ...change }: PaymentChange): Prisma.Sql[] => [
  ...Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => Prisma.sql`${Prisma.raw(columnOf[field as keyof typeof change])} = ${value}`),
  ...(paidParts ? [Prisma.sql`paid_parts = ${JSON.stringify(paidParts)}::json`] : []),
  ...(debit ? [Prisma.sql`debit = ${JSON.stringify(debit)}::json`] : []),
];

/**
 * Returns the payment as changed. A new status means that it can no longer be paid or changed, and the picture of its code is of no
 * more use.
 */
export async function changePayment(
  tx: Queryable,
  id: string,
  change: PaymentChange,
): Promise<Payment | undefined> {
  const changes = assignments(change);
  if (change.status) changes.push(Prisma.sql`pix_qr_code_base64 = NULL, revising = NULL`);
  const withoutChecks = change.status
    ? Prisma.sql`WITH removed_check AS (DELETE FROM payment_check WHERE payment_id = ${id}::uuid)`
    : Prisma.empty;
  const [payment] = await selectPayments(
    tx,
    Prisma.sql`${withoutChecks}
      UPDATE payment p SET ${Prisma.join(changes)} WHERE p.id = ${id}::uuid RETURNING ${paymentColumns}`,
  );
  return payment;
}

/** Ends a payment whose creation was abandoned; its open attempts will be looked up. */
export async function abandonPayment(db: Queryable, paymentId: string, now: Date): Promise<void> {
  await db.$executeRaw`
    WITH abandoned AS (
      UPDATE payment SET status = 'failed', next_check_at = NULL
      WHERE id = ${paymentId}::uuid AND status = 'creating' RETURNING id)
    UPDATE payment_attempt SET outcome = 'unknown', next_check_at = ${now}
    WHERE payment_id IN (SELECT id FROM abandoned) AND outcome = 'open'`;
}
