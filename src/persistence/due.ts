import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';

/** The tables whose rows wait for an answer of a PSP, and what else a row must be: so their indexes say too. */
const waiting = {
  payment: [Prisma.raw('payment'), Prisma.raw(`status = 'pending'`)],
  payment_attempt: [Prisma.raw('payment_attempt'), Prisma.raw(`outcome = 'unknown'`)],
  refund: [Prisma.raw('refund'), Prisma.raw(`status = 'pending'`)],
  psp_notification: [Prisma.raw('psp_notification'), Prisma.raw('processed_at IS NULL')],
} as const;

/** What is asked about at PSPs. */
export type DueKind = keyof typeof waiting;

export interface DueRow {
  id: string;
  /** Null where no PSP is asked: the sandbox alone. */
  credentialId: string | null;
}

export interface DueClaim {
  now: Date;
  leasedUntil: Date;
  limit: number;
  /** How many rows of one credential may be taken, and of those for which another number holds. */
  places: number;
  placesOf: ReadonlyMap<string | null, number>;
}

/**
 * Takes rows whose check is due, the longest due first, but of no credential more than it has places for, so that a
 * PSP that hangs holds up no other. A worker that dies costs one lease, and several workers take different rows.
 * Walks from credential to credential in the index of what waits: its cost grows with the credentials that have
 * something waiting, not with rows. It compares and orders by the whole row of that index: by the time alone the
 * planner would read all that is due from the first on.
 */
export async function claimDue(db: Queryable, kind: DueKind, claim: DueClaim): Promise<DueRow[]> {
  const { now, leasedUntil, limit, places, placesOf } = claim;
  const [table, isWaiting] = waiting[kind];
  const known = [...placesOf].flatMap(([id, free]) => (id === null ? [] : [{ id, free }]));
  return db.$queryRaw<DueRow[]>`
    WITH RECURSIVE lane AS (
      (SELECT credential_id FROM ${table}
        WHERE ${isWaiting} AND credential_id IS NOT NULL ORDER BY credential_id LIMIT 1)
      UNION ALL
      SELECT (SELECT next.credential_id FROM ${table} next
        WHERE ${isWaiting} AND next.credential_id > lane.credential_id
        ORDER BY next.credential_id LIMIT 1)
      FROM lane WHERE lane.credential_id IS NOT NULL),
    due AS (
      SELECT of_lane.id, of_lane.next_check_at
      FROM lane
      LEFT JOIN unnest(${known.map(({ id }) => id)}::uuid[], ${known.map(({ free }) => free)}::int[])
        AS known(id, places) ON known.id = lane.credential_id
      CROSS JOIN LATERAL (
        SELECT id, next_check_at FROM ${table}
        WHERE ${isWaiting} AND (credential_id, next_check_at) >= (lane.credential_id, '-infinity')
          AND (credential_id, next_check_at) <= (lane.credential_id, ${now})
        ORDER BY credential_id, next_check_at LIMIT coalesce(known.places, ${places}::int)
        FOR NO KEY UPDATE SKIP LOCKED) of_lane
      UNION ALL
      SELECT of_none.id, of_none.next_check_at FROM (
        SELECT id, next_check_at FROM ${table}
        WHERE ${isWaiting} AND credential_id IS NULL AND next_check_at <= ${now}
        ORDER BY credential_id, next_check_at LIMIT ${placesOf.get(null) ?? places}::int
        FOR NO KEY UPDATE SKIP LOCKED) of_none)
    UPDATE ${table} SET next_check_at = ${leasedUntil}
    WHERE id = ANY(ARRAY(SELECT id FROM due ORDER BY next_check_at LIMIT ${limit}::int))
    RETURNING id, credential_id AS "credentialId"`;
}

/** Takes payments whose creation was perhaps abandoned. */
export async function claimAbandoned(
  db: Queryable,
  { now, leasedUntil, limit }: Pick<DueClaim, 'now' | 'leasedUntil' | 'limit'>,
): Promise<string[]> {
  const claimed = await db.$queryRaw<{ id: string }[]>`
    UPDATE payment SET next_check_at = ${leasedUntil}
    WHERE id = ANY(ARRAY(
      SELECT id FROM payment WHERE status = 'creating' AND next_check_at <= ${now}
      ORDER BY next_check_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id`;
  return claimed.map(({ id }) => id);
}
