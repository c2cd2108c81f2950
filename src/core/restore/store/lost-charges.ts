import type { AttemptOutcome } from '../../payments/rules/payment.ts';
import type { Attempt } from '../../payments/store/charging.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { firstChecks, waiting } from '../../settlement/store/due.ts';

export interface LiveCredential {
  id: string;
  organizationId: string;
  provider: string;
  name: string;
}

export const listLiveCredentials = (db: Queryable): Promise<LiveCredential[]> =>
  db.credential.findMany({
    where: { provider: { not: 'sandbox' } },
    select: { id: true, organizationId: true, provider: true, name: true },
    orderBy: { id: 'asc' },
  });

/** Picks those of these attempts whose charge is recorded, or is being looked up because its response was lost. */
export async function findRecordedAttemptIds(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const unrecorded: AttemptOutcome[] = ['planned', 'open'];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT attempt.id FROM payment_attempt attempt JOIN payment ON payment.id = attempt.payment_id
    WHERE attempt.id = ANY(${[...ids]}::uuid[])
      AND NOT (attempt.outcome::text = ANY(${unrecorded}) AND payment.status = 'creating')`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Prepares a payment that was being created when the backup was made for the charge that its attempt has led to. What
 * another attempt led to is looked up. False if the attempt was made with another credential.
 */
export async function reopenAttempt(
  tx: Queryable,
  { id, paymentId, credentialId }: Pick<Attempt, 'id' | 'paymentId' | 'credentialId'>,
  now: Date,
): Promise<boolean> {
  const attempt = await tx.paymentAttempt.findUnique({ where: { id }, select: { credentialId: true } });
  if (attempt && attempt.credentialId !== credentialId) return false;
  await tx.$executeRaw`
    UPDATE payment_attempt SET outcome = 'unknown', next_check_at = ${now}
    WHERE payment_id = ${paymentId}::uuid AND id <> ${id}::uuid AND outcome = 'open'`;
  await tx.$executeRaw`
    UPDATE payment_attempt SET outcome = 'open' WHERE id = ${id}::uuid AND outcome = 'planned'`;
  return true;
}

/** Adds an attempt as if its response had been lost: its charge is then withdrawn, unless it was paid. */
export async function insertLostAttempt(
  tx: Queryable,
  { paymentId, position, reason, ...attempt }: Attempt,
  now: Date,
): Promise<void> {
  const lost = { ...attempt, paymentId, position, reason, outcome: 'unknown' as const, nextCheckAt: now };
  await tx.paymentAttempt.createMany({ data: [lost], skipDuplicates: true });
}

/** Lists the attempts of a credential's pending payments, and of those that were paid since `paidSince`. */
export async function listUndecidedAttemptIds(
  db: Queryable,
  { id, organizationId }: LiveCredential,
  paidSince: Date,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT attempt_id AS id FROM payment
    WHERE status = 'pending' AND credential_id = ${id}::uuid AND attempt_id IS NOT NULL
    UNION
    SELECT pix.attempt_id FROM received_pix pix JOIN payment_attempt attempt ON attempt.id = pix.attempt_id
    WHERE pix.organization_id = ${organizationId}::uuid AND pix.paid_at >= ${paidSince}
      AND attempt.credential_id = ${id}::uuid`;
  return rows.map((row) => row.id);
}

const batchSize = 1_000;

interface Haste {
  credentialId: string;
  now: Date;
  /** Leaves alone what is due before this, because a worker may be at it. */
  unlessBefore: Date;
}

/** Has everything of a credential looked up that its PSP may have decided in the lost time. */
export async function hastenLookups(db: Database, haste: Haste): Promise<void> {
  const { credentialId, now, unlessBefore } = haste;
  const due = Prisma.sql`credential_id = ${credentialId}::uuid AND next_check_at > ${unlessBefore}
    ORDER BY credential_id, next_check_at LIMIT ${batchSize}::int FOR NO KEY UPDATE SKIP LOCKED`;
  for (const { table, isWaiting, id } of [firstChecks, waiting.payment, waiting.refund]) {
    let changed = batchSize;
    while (changed === batchSize) {
      changed = await db.$executeRaw`
        UPDATE ${table} SET next_check_at = ${now}
        WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE ${isWaiting} AND ${due})`;
    }
  }
}
