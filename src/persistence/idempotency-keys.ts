import { printJson } from '../domain/json/json-text.ts';
import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';
import type { Tenant } from './payments/payments.ts';
import type { IdempotentOutcome, KeyHolder } from './payments/charging.ts';

export interface Claim extends Tenant {
  key: string;
  operation: string;
  fingerprint: string;
  /** The payment or refund to work on, if the key is new. */
  subjectId: string;
  /** The number of the holder, if the key is new: nobody else's. */
  holder: number;
  leaseMs: number;
}

export interface Held {
  holder: number;
  subjectId: string;
}

export interface Stored {
  operation: string | null;
  fingerprint: string;
  outcome: object | null;
}

const retention = '30 days';

/** What the request had begun has failed for good, as older builds stored it or as it is found. */
const hasFailed = Prisma.raw(`(i.outcome -> 'error' IS NOT NULL
  OR (i.outcome IS NULL AND i.locked_until < now()
    AND EXISTS (SELECT FROM payment p WHERE p.id = i.subject_id AND p.status = 'failed')))`);
const isForgotten = Prisma.raw(`i.created_at < now() - interval '${retention}'`);

/**
 * Takes a key that is new, forgotten, or that of a create that failed; or one left unfinished by a holder whose lease
 * is over and who sent the same request: its subject stays. Undefined when it is somebody else's or has its outcome.
 * One statement, so that of many at once one wins.
 */
export async function claimIdempotencyKey(db: Queryable, claim: Claim): Promise<Held | undefined> {
  const lease = `${claim.leaseMs} milliseconds`;
  const [held] = await db.$queryRaw<Held[]>`
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
): Promise<Stored | null> {
  const stored = await db.idempotencyKey.findUnique({
    where: { organizationId_mode_key: { organizationId, mode, key } },
    select: { operation: true, fingerprint: true, outcome: true },
  });
  return stored as Stored | null;
}

export async function settleIdempotencyKey(db: Queryable, settled: IdempotentOutcome): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotency_key SET outcome = ${printJson(settled.outcome)}::json
    WHERE organization_id = ${settled.organizationId}::uuid AND mode = ${settled.mode}::"Mode"
      AND key = ${settled.key} AND holder = ${settled.holder} AND outcome IS NULL`;
}

/**
 * Gives the key back, so that a request that changed nothing can be sent again, corrected. A payment that
 * is being created keeps its key.
 */
export async function releaseIdempotencyKey(db: Queryable, held: KeyHolder): Promise<void> {
  await db.$executeRaw`
    DELETE FROM idempotency_key i
    WHERE organization_id = ${held.organizationId}::uuid AND mode = ${held.mode}::"Mode"
      AND key = ${held.key} AND holder = ${held.holder} AND outcome IS NULL
      AND NOT EXISTS (SELECT FROM payment p WHERE p.id = i.subject_id AND p.status = 'creating')`;
}

/** Lets a request with the key take the work over soon: when what this one sent has surely come to its end. */
export async function shortenIdempotencyLease(db: Queryable, held: KeyHolder): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotency_key SET locked_until = least(locked_until, now() + interval '3 seconds')
    WHERE organization_id = ${held.organizationId}::uuid AND mode = ${held.mode}::"Mode"
      AND key = ${held.key} AND holder = ${held.holder} AND outcome IS NULL`;
}

/** Deletes some of the keys whose 30 days are over; answers how many. */
export function forgetIdempotencyKeys(db: Queryable, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_key WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_key WHERE created_at < now() - ${retention}::interval
      ORDER BY created_at LIMIT ${limit}))`;
}
