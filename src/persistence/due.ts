import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';

/** The tables whose rows wait for a check, with what else a row must be. */
const waiting = {
  payment: Prisma.raw(`payment WHERE status = 'pending'`),
  abandoned_payment: Prisma.raw(`payment WHERE status = 'creating'`),
  payment_attempt: Prisma.raw(`payment_attempt WHERE outcome = 'unknown'`),
  refund: Prisma.raw(`refund WHERE status = 'pending'`),
  psp_notification: Prisma.raw(`psp_notification WHERE processed_at IS NULL`),
} as const;

export type DueKind = keyof typeof waiting;

const tables: Record<DueKind, Prisma.Sql> = {
  payment: Prisma.raw('payment'),
  abandoned_payment: Prisma.raw('payment'),
  payment_attempt: Prisma.raw('payment_attempt'),
  refund: Prisma.raw('refund'),
  psp_notification: Prisma.raw('psp_notification'),
};

/**
 * Takes rows whose check is due, for `leaseMs`: a worker that dies costs one lease, and several workers
 * take different rows.
 */
export async function claimDue(
  db: Queryable,
  kind: DueKind,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<string[]> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const claimed = await db.$queryRaw<{ id: string }[]>`
    UPDATE ${tables[kind]} SET next_check_at = ${leasedUntil}
    WHERE id IN (
      SELECT id FROM ${waiting[kind]} AND next_check_at <= ${now}
      ORDER BY next_check_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`;
  return claimed.map(({ id }) => id);
}
