import type { Queryable } from './database.ts';
import type { Tenant } from './payments.ts';
import type { IdempotentOutcome } from './charging.ts';

export interface Claim extends Tenant {
  key: string;
  fingerprint: string;
  /** The payment or refund to work on, if the key is new. */
  subjectId: string;
  leaseMs: number;
}

export interface Held {
  holder: number;
  subjectId: string;
}

export interface Stored {
  fingerprint: string;
  outcome: object | null;
  lockedUntil: Date;
}

const retention = '30 days';

/**
 * Takes a key that is new, forgotten, or left unfinished by a holder whose lease is over and who sent the
 * same request. Undefined when it is somebody else's or has its outcome. One statement, so that of many
 * at once one wins.
 */
export async function claimIdempotencyKey(db: Queryable, claim: Claim): Promise<Held | undefined> {
  const lease = `${claim.leaseMs} milliseconds`;
  const [held] = await db.$queryRaw<Held[]>`
    INSERT INTO idempotency_key AS i (organization_id, mode, key, fingerprint, subject_id, holder, locked_until, created_at)
    VALUES (${claim.organizationId}::uuid, ${claim.mode}::"Mode", ${claim.key}, ${claim.fingerprint},
      ${claim.subjectId}::uuid, 1, now() + ${lease}::interval, now())
    ON CONFLICT (organization_id, mode, key) DO UPDATE
    SET holder = i.holder + 1, locked_until = excluded.locked_until, fingerprint = excluded.fingerprint, outcome = NULL,
      subject_id = CASE WHEN i.created_at < now() - ${retention}::interval THEN excluded.subject_id ELSE i.subject_id END,
      created_at = CASE WHEN i.created_at < now() - ${retention}::interval THEN excluded.created_at ELSE i.created_at END
    WHERE i.created_at < now() - ${retention}::interval
      OR (i.outcome IS NULL AND i.fingerprint = excluded.fingerprint AND i.locked_until < now())
    RETURNING i.holder, i.subject_id AS "subjectId"`;
  return held;
}

export async function findIdempotencyKey(
  db: Queryable,
  { organizationId, mode }: Tenant,
  key: string,
): Promise<Stored | null> {
  const stored = await db.idempotencyKey.findUnique({
    where: { organizationId_mode_key: { organizationId, mode, key } },
    select: { fingerprint: true, outcome: true, lockedUntil: true },
  });
  return stored as Stored | null;
}

export async function settleIdempotencyKey(db: Queryable, settled: IdempotentOutcome): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotency_key SET outcome = ${JSON.stringify(settled.outcome)}::json
    WHERE organization_id = ${settled.organizationId}::uuid AND mode = ${settled.mode}::"Mode"
      AND key = ${settled.key} AND holder = ${settled.holder} AND outcome IS NULL`;
}

/**
 * Gives the key back, so that a request that changed nothing can be sent again, corrected. A payment that
 * is being created keeps its key.
 */
export async function releaseIdempotencyKey(
  db: Queryable,
  held: Tenant & { key: string; holder: number },
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM idempotency_key i
    WHERE organization_id = ${held.organizationId}::uuid AND mode = ${held.mode}::"Mode"
      AND key = ${held.key} AND holder = ${held.holder} AND outcome IS NULL
      AND NOT EXISTS (SELECT FROM payment p WHERE p.id = i.subject_id AND p.status = 'creating')`;
}

/** Deletes some of the keys whose 30 days are over; answers how many. */
export function forgetIdempotencyKeys(db: Queryable, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_key WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_key WHERE created_at < now() - ${retention}::interval
      ORDER BY created_at LIMIT ${limit}))`;
}
