import type { Queryable } from '../../../database/database.ts';
import type { Prisma } from '../../../database/generated/client.ts';
import type { LockedPayment } from './payment-changes.ts';

/** Schedules the next check of a payment that has one, unless it has changed its status meanwhile. */
export async function scheduleCheck(db: Queryable, paymentId: string, nextCheckAt: Date): Promise<void> {
  await db.paymentCheck.updateMany({ where: { paymentId }, data: { nextCheckAt } });
}

/** The same of a pending one. The second time counts if somebody was seen to wait for it since then, even during this check. */
export async function schedulePendingCheck(
  db: Queryable,
  paymentId: string,
  { nextAt, watched }: { nextAt: Date; watched: { since: Date; nextAt: Date } },
): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_check SET next_check_at = CASE
      WHEN watched_at > ${watched.since} THEN ${watched.nextAt}::timestamptz ELSE ${nextAt}::timestamptz END
    WHERE payment_id = ${paymentId}::uuid`;
}

/** Notes that somebody waits for these payments; those for which nobody did before are checked by then. */
export async function recordWatched(
  db: Queryable,
  ids: readonly string[],
  { now, since, checkBy }: { now: Date; since: Date; checkBy: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO payment_check AS known (payment_id, credential_id, next_check_at, watched_at)
    SELECT id, credential_id, ${checkBy}, ${now} FROM payment
    WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'pending' ORDER BY id
    ON CONFLICT (payment_id) DO UPDATE SET watched_at = excluded.watched_at, next_check_at = CASE
      WHEN known.watched_at > ${since} THEN known.next_check_at
      ELSE least(known.next_check_at, excluded.next_check_at) END`;
}

/** The last time that somebody was seen to wait for the payment. */
export async function findWatchedAt(db: Queryable, paymentId: string): Promise<Date | null> {
  const check = await db.paymentCheck.findUnique({ where: { paymentId }, select: { watchedAt: true } });
  return check?.watchedAt ?? null;
}

/** Has what remains undecided about a payment that was paid looked up then. */
export async function lookAgainAt(
  tx: Queryable,
  { id: paymentId, credentialId }: Pick<LockedPayment, 'id' | 'credentialId'>,
  nextCheckAt: Date,
): Promise<void> {
  const check = { credentialId, nextCheckAt };
  await tx.paymentCheck.upsert({ where: { paymentId }, create: { paymentId, ...check }, update: check });
}

export async function noMoreLooks(db: Queryable, paymentId: string): Promise<void> {
  await db.paymentCheck.deleteMany({ where: { paymentId } });
}

/** Schedules the next look for a Pix that pays an expired or cancelled payment late. Null: none. */
export async function scheduleLateCheck(db: Queryable, id: string, nextCheckAt: Date | null): Promise<void> {
  const where = { id, status: { in: ['expired', 'cancelled'] } } satisfies Prisma.PaymentWhereInput;
  await db.payment.updateMany({ where, data: { nextCheckAt } });
}
