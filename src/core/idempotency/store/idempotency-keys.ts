import { printJson } from '../../base/json/json-text.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';
import type { IdempotentOutcome, KeyHolder } from '../rules/key-holder.ts';

export interface KeyClaim extends Tenant {
  key: string;
  operation: string;
  fingerprint: string;
  /** The payment or refund to work on if the key is new. */
  subjectId: string;
  /** Unique number of the holder if the key is new. */
  holder: number;
  leaseMs: number;
}

export interface HeldKey {
  holder: number;
  subjectId: string;
}

export interface StoredKey {
  operation: string | null;
  fingerprint: string;
  outcome: object | null;
}

const retention = '30 days';

/** Whether the work failed for good, as stored by older versions or found in its row. */
const hasFailed = Prisma.raw(`(i.outcome -> 'error' IS NOT NULL
  OR (i.outcome IS NULL AND i.locked_until < now()
    AND EXISTS (SELECT FROM payment p WHERE p.id = i.subject_id AND p.status = 'failed')))`);
const isForgotten = Prisma.raw(`i.created_at < now() - interval '${retention}'`);

/**
 * Claims a key that is new, expired or belongs to a failed create; or one left unfinished by a holder whose
 * lease has run out and who sent the same request, keeping its subject. Undefined when someone else holds it
 * or it has an outcome. A single statement, so that of concurrent claims one wins.
 */
export async function claimIdempotencyKey(db: Queryable, claim: KeyClaim): Promise<HeldKey | undefined> {
  const lease = `${claim.leaseMs} milliseconds`;
  const [held] = await db.$queryRaw<HeldKey[]>`
    INSERT INTO idempotency_key AS i (organization_id, mode, key, operation, fingerprint, subject_id, holder, locked_until, created_at)
    VALUES (${claim.organizationId}::uuid, ${claim.mode}::"Mode", ${claim.key}, ${claim.operation}, ${claim.fingerprint},
      ${claim.subjectId}::uuid, ${claim.holder}::int, now() + ${lease}::interval, now())
    ON CONFLICT (organization_id, mode, key) DO UPDATE
    SET holder = i.holder + 1, locked_until = excluded.locked_until, operation = excluded.operation, fingerprint = excluded.fingerprint,
      outcome = NULL,
      subject_id = CASE WHEN ${isForgotten} OR ${hasFailed} THEN excluded.subject_id ELSE i.subject_id END,
      created_at = CASE WHEN ${isForgotten} OR ${hasFailed} THEN excluded.created_at ELSE i.created_at END
    WHERE ${isForgotten} OR ${hasFailed}
      OR (i.outcome IS NULL AND i.fingerprint = excluded.fingerprint AND i.locked_until < now())
    RETURNING i.holder, i.subject_id AS "subjectId"`;
  return held;
}

export async function findIdempotencyKey(
  db: Queryable,
  { organizationId, mode }: Tenant,
  key: string,
): Promise<StoredKey | null> {
  const stored = await db.idempotencyKey.findUnique({
    where: { organizationId_mode_key: { organizationId, mode, key } },
    select: { operation: true, fingerprint: true, outcome: true },
  });
  return stored as StoredKey | null;
}

export async function storeIdempotentOutcome(db: Queryable, stored: IdempotentOutcome): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotency_key SET outcome = ${printJson(stored.outcome)}::json
    WHERE organization_id = ${stored.organizationId}::uuid AND mode = ${stored.mode}::"Mode"
      AND key = ${stored.key} AND holder = ${stored.holder} AND outcome IS NULL`;
}

/**
 * Releases the key, so that a request that changed nothing can be corrected and sent again. A payment or
 * recurrence being created keeps its key.
 */
export async function releaseIdempotencyKey(db: Queryable, held: KeyHolder): Promise<void> {
  await db.$executeRaw`
    DELETE FROM idempotency_key i
    WHERE organization_id = ${held.organizationId}::uuid AND mode = ${held.mode}::"Mode"
      AND key = ${held.key} AND holder = ${held.holder} AND outcome IS NULL
      AND NOT EXISTS (SELECT FROM payment p WHERE p.id = i.subject_id AND p.status = 'creating')
      AND NOT EXISTS (SELECT FROM recurrence r WHERE r.id = i.subject_id AND r.status = 'creating')`;
}

/** Lets a request with the same key take over as soon as whatever this one sent must have finished. */
export async function shortenIdempotencyLease(db: Queryable, held: KeyHolder): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotency_key SET locked_until = least(locked_until, now() + interval '3 seconds')
    WHERE organization_id = ${held.organizationId}::uuid AND mode = ${held.mode}::"Mode"
      AND key = ${held.key} AND holder = ${held.holder} AND outcome IS NULL`;
}

/** Deletes some keys older than 30 days; returns how many. */
export function deleteIdempotencyKeys(db: Queryable, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_key WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_key WHERE created_at < now() - ${retention}::interval
      ORDER BY created_at LIMIT ${limit}))`;
}
