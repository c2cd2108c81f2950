import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';

/** Tables whose rows wait for a PSP, with conditions that match their indexes, and what identifies a row. */
export const waiting = {
  payment: rows('payment', `status = 'pending'`),
  payment_check: rows('payment_check', 'true', 'payment_id'),
  late_payment: rows('payment', `status = 'expired' AND next_check_at IS NOT NULL`),
  payment_attempt: rows('payment_attempt', `outcome = 'unknown'`),
  refund: rows('refund', `status = 'pending'`),
  psp_notification: rows('psp_notification', 'processed_at IS NULL'),
  psp_sweep: rows('psp_sweep', 'next_check_at IS NOT NULL'),
  statement_day: rows('statement_day', 'next_check_at IS NOT NULL'),
} as const;

function rows(table: string, isWaiting: string, id = 'id') {
  return { table: Prisma.raw(table), isWaiting: Prisma.raw(isWaiting), id: Prisma.raw(id) };
}

export type DueKind = keyof typeof waiting;

export const dueKinds = Object.keys(waiting) as DueKind[];

/** What a credential's pause does not hold back: somebody waits for a notified confirmation. */
const isNeverPaused = (kind: DueKind): boolean => kind === 'psp_notification';

export interface DueRow {
  id: string;
  /** Null where no PSP is called: for the sandbox itself. */
  credentialId: string | null;
}

export interface DueClaim {
  now: Date;
  leasedUntil: Date;
  limit: number;
  /** Limit of rows per credential, with exceptions for some credentials. */
  slots: number;
  slotsOf: ReadonlyMap<string | null, number>;
}

/** The credentials that have rows waiting, one by one from the index: its cost does not grow with the rows. */
const lanesOf = (kind: DueKind): Prisma.Sql => {
  const { table, isWaiting } = waiting[kind];
  return Prisma.sql`lane AS (
    (SELECT credential_id FROM ${table}
      WHERE ${isWaiting} AND credential_id IS NOT NULL ORDER BY credential_id LIMIT 1)
    UNION ALL
    SELECT (SELECT next.credential_id FROM ${table} next
      WHERE ${isWaiting} AND next.credential_id > lane.credential_id
      ORDER BY next.credential_id LIMIT 1)
    FROM lane WHERE lane.credential_id IS NOT NULL)`;
};

/**
 * Claims due rows, longest due first, but per credential only as many as it has slots for, so that a PSP
 * that hangs delays no other, and none of a paused one. A crashed worker costs one lease, and concurrent workers claim different rows.
 * Walks from credential to credential in the index of waiting rows, so the cost grows with the credentials
 * that have rows waiting, not with rows. Compares and orders by the whole index row: by time alone the
 * planner would read everything due from the start.
 */
export async function claimDue(db: Queryable, kind: DueKind, claim: DueClaim): Promise<DueRow[]> {
  const { now, leasedUntil, limit, slots, slotsOf } = claim;
  const { table, isWaiting, id } = waiting[kind];
  const known = [...slotsOf].flatMap(([lane, free]) => (lane === null ? [] : [{ lane, free }]));
  return db.$queryRaw<DueRow[]>`
    WITH RECURSIVE ${lanesOf(kind)},
    due AS (
      SELECT of_lane.id, of_lane.next_check_at
      FROM lane
      LEFT JOIN unnest(${known.map(({ lane }) => lane)}::uuid[], ${known.map(({ free }) => free)}::int[])
        AS known(id, slots) ON known.id = lane.credential_id
      LEFT JOIN credential_traffic paused ON paused.credential_id = lane.credential_id
        AND paused.paused_until > ${now} AND NOT ${isNeverPaused(kind)}::boolean
      CROSS JOIN LATERAL (
        SELECT ${id} AS id, next_check_at FROM ${table}
        WHERE ${isWaiting} AND (credential_id, next_check_at) >= (lane.credential_id, '-infinity')
          AND (credential_id, next_check_at) <= (lane.credential_id, ${now})
        ORDER BY credential_id, next_check_at
        LIMIT CASE WHEN paused.credential_id IS NULL THEN coalesce(known.slots, ${slots}::int) ELSE 0 END
        FOR NO KEY UPDATE SKIP LOCKED) of_lane
      UNION ALL
      SELECT of_none.id, of_none.next_check_at FROM (
        SELECT ${id} AS id, next_check_at FROM ${table}
        WHERE ${isWaiting} AND credential_id IS NULL AND next_check_at <= ${now}
        ORDER BY credential_id, next_check_at LIMIT ${slotsOf.get(null) ?? slots}::int
        FOR NO KEY UPDATE SKIP LOCKED) of_none),
    claimed AS (SELECT id FROM due ORDER BY next_check_at LIMIT ${limit}::int)
    ${kind === 'payment' ? leaseFirstCheck(leasedUntil) : lease(kind, leasedUntil)}`;
}

const lease = (kind: DueKind, leasedUntil: Date): Prisma.Sql => {
  const { table, id } = waiting[kind];
  return Prisma.sql`
    UPDATE ${table} SET next_check_at = ${leasedUntil} WHERE ${id} = ANY(ARRAY(SELECT id FROM claimed))
    RETURNING ${id} AS id, credential_id AS "credentialId"`;
};

/** From its first check on, a payment has a `payment_check`. It may have one before, if a node of 1.0 claimed it meanwhile. */
const leaseFirstCheck = (leasedUntil: Date): Prisma.Sql => Prisma.sql`,
    leased AS (
      UPDATE payment SET next_check_at = NULL WHERE id = ANY(ARRAY(SELECT id FROM claimed))
      RETURNING id, credential_id)
    INSERT INTO payment_check AS c (payment_id, credential_id, next_check_at)
    SELECT id, credential_id, ${leasedUntil}::timestamptz FROM leased
    ON CONFLICT (payment_id) DO UPDATE SET next_check_at = excluded.next_check_at
    RETURNING c.payment_id AS id, c.credential_id AS "credentialId"`;

/** Since when the longest overdue row that no worker has claimed is due. Costs what a claim costs. */
export async function longestDueSince(db: Queryable, kind: DueKind, now: Date): Promise<Date | null> {
  const { table, isWaiting } = waiting[kind];
  const [row] = await db.$queryRaw<{ since: Date | null }[]>`
    WITH RECURSIVE ${lanesOf(kind)}
    SELECT least(
      (SELECT min(of_lane.next_check_at) FROM lane CROSS JOIN LATERAL (
        SELECT next_check_at FROM ${table}
        WHERE ${isWaiting} AND (credential_id, next_check_at) >= (lane.credential_id, '-infinity')
          AND (credential_id, next_check_at) <= (lane.credential_id, ${now})
        ORDER BY credential_id, next_check_at LIMIT 1) of_lane),
      (SELECT next_check_at FROM ${table}
        WHERE ${isWaiting} AND credential_id IS NULL AND next_check_at <= ${now}
        ORDER BY credential_id, next_check_at LIMIT 1)) AS since`;
  return row?.since ?? null;
}

/** Claims payments whose creation may have been abandoned. */
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
