import type { PaymentStatus } from '../domain/payment.ts';
import type { PspReceivedPix } from '../domain/psp.ts';
import type { Mode } from '../domain/mode.ts';
import type { Cents } from '../domain/money.ts';
import type { Queryable } from './database.ts';

export interface SettledPayment {
  id: string;
  organizationId: string;
  mode: Mode;
  status: PaymentStatus;
  amountInCents: Cents;
  expiresAt: Date;
  confirmedAt: Date | null;
}

/** The payment, locked until the transaction ends, so that what is decided about it stays true. */
export async function lockPayment(tx: Queryable, id: string): Promise<SettledPayment | undefined> {
  const [payment] = await tx.$queryRaw<SettledPayment[]>`
    SELECT id, organization_id AS "organizationId", mode::text, status::text, amount_in_cents AS "amountInCents",
      expires_at AS "expiresAt", confirmed_at AS "confirmedAt"
    FROM payment WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return payment;
}

export interface PaymentChange {
  status?: PaymentStatus;
  confirmedAt?: Date;
  expiresAt?: Date;
  paidLate?: boolean;
  duplicatePayment?: boolean;
  nextCheckAt?: Date | null;
}

export async function changePayment(tx: Queryable, id: string, change: PaymentChange): Promise<void> {
  await tx.payment.update({ where: { id }, data: change, select: { id: true } });
}

/** Answers whether the Pix is new: money is recorded once per end-to-end id. */
export async function insertReceivedPix(
  tx: Queryable,
  received: PspReceivedPix & { paymentId: string; attemptId: string; createdAt: Date },
): Promise<boolean> {
  const { count } = await tx.receivedPix.createMany({ data: [received], skipDuplicates: true });
  return count === 1;
}

export interface ChargeAttempt {
  id: string;
  paymentId: string;
  provider: string;
  credentialId: string | null;
  pspReference: string | null;
  mode: Mode;
}

export async function findChargeAttempt(db: Queryable, id: string): Promise<ChargeAttempt | undefined> {
  const attempt = await db.paymentAttempt.findUnique({
    where: { id },
    select: {
      paymentId: true,
      provider: true,
      credentialId: true,
      pspReference: true,
      payment: { select: { mode: true } },
    },
  });
  return attempt ? { id, ...attempt, mode: attempt.payment.mode } : undefined;
}

/** The try whose code left the service. */
export async function findCreatedAttempt(
  db: Queryable,
  paymentId: string,
): Promise<ChargeAttempt | undefined> {
  const attempt = await db.paymentAttempt.findFirst({
    where: { paymentId, outcome: 'created' },
    select: { id: true },
    orderBy: { position: 'asc' },
  });
  return attempt ? findChargeAttempt(db, attempt.id) : undefined;
}

export async function insertPspNotification(
  db: Queryable,
  notification: { id: string; provider: string; body: string; receivedAt: Date },
): Promise<void> {
  await db.pspNotification.create({ data: notification });
}

export async function markPspNotificationProcessed(db: Queryable, id: string, at: Date): Promise<void> {
  await db.pspNotification.update({ where: { id }, data: { processedAt: at }, select: { id: true } });
}

/**
 * Takes pending payments whose check is due, for `leaseMs`: a worker that dies costs one lease, and
 * several take different ones.
 */
export async function claimDuePayments(
  db: Queryable,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<string[]> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const claimed = await db.$queryRaw<{ id: string }[]>`
    UPDATE payment SET next_check_at = ${leasedUntil}
    WHERE id IN (
      SELECT id FROM payment WHERE next_check_at <= ${now} AND status = 'pending'
      ORDER BY next_check_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`;
  return claimed.map(({ id }) => id);
}
