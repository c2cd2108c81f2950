import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';

interface Queue {
  table: Prisma.Sql;
  isWaiting: Prisma.Sql;
  /** The column that identifies a row. */
  id: Prisma.Sql;
  /** Selects the credentials with waiting rows, as part of a statement. */
  lane: Prisma.Sql;
  name: string;
}

const queue = (name: string, isWaiting: string, id = 'id'): Queue => ({
  name,
  table: Prisma.raw(name),
  isWaiting: Prisma.raw(isWaiting),
  id: Prisma.raw(id),
  lane: Prisma.raw(`lane_of_${name}`),
});

/** Rows that wait for a PSP, with conditions that match their indexes. */
export const waiting = {
  payment: queue('payment_check', 'true', 'payment_id'),
  late_payment: queue('payment', `status IN ('expired', 'cancelled') AND next_check_at IS NOT NULL`),
  payment_attempt: queue('payment_attempt', `outcome = 'unknown'`),
  refund: queue('refund', `status = 'pending'`),
  psp_notification: queue('psp_notification', 'processed_at IS NULL'),
  recurrence: queue('recurrence', 'next_check_at IS NOT NULL'),
  dispute: queue('dispute', 'next_check_at IS NOT NULL'),
  dispute_sweep: queue('dispute_sweep', 'true', 'credential_id'),
  psp_sweep: queue('psp_sweep', 'next_check_at IS NOT NULL'),
  listed_charge: queue('listed_charge', 'true'),
  statement_day: queue('statement_day', 'next_check_at IS NOT NULL'),
} as const;

/** Payments that have not been claimed yet: the first claim moves them to `payment_check`. */
export const firstChecks = queue('payment', `status = 'pending'`);

export type DueKind = keyof typeof waiting;

export const dueKinds = Object.keys(waiting) as DueKind[];

/** A credential's pause holds back everything but notifications, whose confirmation somebody waits for. */
const isNeverPaused = (kind: DueKind): boolean => kind === 'psp_notification';

export interface DueRow {
  id: string;
  /** Null for the sandbox itself, which calls no PSP. */
  credentialId: string | null;
}

export interface DueClaim {
  now: Date;
  leasedUntil: Date;
  limit: number;
  /** Limit of rows per credential; `slotsOf` has exceptions for some. */
  slots: number;
  slotsOf: ReadonlyMap<string | null, number>;
}

const queuesOf = (kind: DueKind): Queue[] =>
  kind === 'payment' ? [waiting.payment, firstChecks] : [waiting[kind]];

/** The credentials with waiting rows, found one by one in the index, so that the cost does not grow with the rows. */
const lanesOf = (kind: DueKind): Prisma.Sql =>
  Prisma.join(
    queuesOf(kind).map(
      ({ table, isWaiting, lane }) => Prisma.sql`${lane} AS (
    (SELECT credential_id FROM ${table}
      WHERE ${isWaiting} AND credential_id IS NOT NULL ORDER BY credential_id LIMIT 1)
    UNION ALL
    SELECT (SELECT next.credential_id FROM ${table} next
      WHERE ${isWaiting} AND next.credential_id > lane.credential_id
      ORDER BY next.credential_id LIMIT 1)
    FROM ${lane} lane WHERE lane.credential_id IS NOT NULL)`,
    ),
  );

/**
 * Gives the planner a constant of at least `rows`. Without one it may read everything that waits for a credential from an index
 * in another order, and sort it. There are few such constants, as each makes a statement of its own.
 */
const knownLimit = (rows: number): Prisma.Sql => Prisma.raw(String(16 * Math.ceil(Math.max(1, rows) / 16)));

/** The due rows of a queue, up to the slots of each credential. The outer limits end the inner selections early. */
const dueIn = ({ name, table, isWaiting, id, lane }: Queue, kind: DueKind, claim: DueClaim): Prisma.Sql => {
  const { now, slots, slotsOf } = claim;
  const slotsOfNone = slotsOf.get(null) ?? slots;
  const mostSlots = Math.max(slots, ...[...slotsOf].map(([ofLane, free]) => (ofLane === null ? 0 : free)));
  // Names `credential_id` too, because the planner does not see that it is the same everywhere when it is null.
  const due = (ofLane: Prisma.Sql, most: number) => Prisma.sql`
        SELECT ${id} AS id, next_check_at FROM ${table}
        WHERE ${isWaiting} AND ${ofLane} AND next_check_at <= ${now}
        ORDER BY credential_id, next_check_at LIMIT ${knownLimit(most)}
        FOR NO KEY UPDATE SKIP LOCKED`;
  return Prisma.sql`
      SELECT of_lane.id, of_lane.next_check_at, lane.credential_id, coalesce(known.slots, ${slots}::int) AS slots,
        ${name}::text AS queue
      FROM ${lane} lane
      LEFT JOIN known ON known.id = lane.credential_id
      LEFT JOIN credential_traffic paused ON paused.credential_id = lane.credential_id
        AND paused.paused_until > ${now} AND NOT ${isNeverPaused(kind)}::boolean
      CROSS JOIN LATERAL (
        SELECT * FROM (${due(Prisma.sql`credential_id = lane.credential_id`, mostSlots)}) due
        LIMIT CASE WHEN paused.credential_id IS NULL THEN coalesce(known.slots, ${slots}::int) ELSE 0 END) of_lane
      UNION ALL
      SELECT of_none.id, of_none.next_check_at, NULL, ${slotsOfNone}::int, ${name}::text FROM (
        SELECT * FROM (${due(Prisma.sql`credential_id IS NULL`, slotsOfNone)}) due
        LIMIT ${slotsOfNone}::int) of_none`;
};

/**
 * Claims due rows: first those of the credential with the most free slots, then the longest due. Each credential gets only as
 * many as it has slots for, so that a hanging PSP delays no other, and a paused one gets none. A crashed worker costs one
 * lease; concurrent workers claim different rows. Walks from credential to credential in the index of waiting rows, so the cost
 * grows with those credentials and not with rows.
 */
export async function claimDue(db: Queryable, kind: DueKind, claim: DueClaim): Promise<DueRow[]> {
  const { leasedUntil, limit, slotsOf } = claim;
  const known = [...slotsOf].flatMap(([lane, free]) => (lane === null ? [] : [{ lane, free }]));
  const due = queuesOf(kind).map((each) => dueIn(each, kind, claim));
  return db.$queryRaw<DueRow[]>`
    WITH RECURSIVE ${lanesOf(kind)},
    known AS (
      SELECT * FROM unnest(${known.map(({ lane }) => lane)}::uuid[], ${known.map(({ free }) => free)}::int[])
        AS known(id, slots)),
    due AS (${Prisma.join(due, ' UNION ALL ')}),
    placed AS (
      SELECT *, row_number() OVER (PARTITION BY credential_id ORDER BY next_check_at) AS place FROM due),
    claimed AS (
      SELECT id, queue FROM placed WHERE place <= slots ORDER BY slots - place DESC, next_check_at LIMIT ${limit}::int)
    ${kind === 'payment' ? leaseChecks(leasedUntil) : lease(waiting[kind], leasedUntil)}`;
}

const lease = ({ name, table, id }: Queue, leasedUntil: Date): Prisma.Sql => Prisma.sql`
    UPDATE ${table} SET next_check_at = ${leasedUntil}
    WHERE ${id} = ANY(ARRAY(SELECT id FROM claimed WHERE queue = ${name}::text))
    RETURNING ${id} AS id, credential_id AS "credentialId"`;

/**
 * A payment may be in both queues after a node of 1.0 responded past its lease. Then its `payment_check` counts, which somebody
 * may have leased.
 */
const leaseChecks = (leasedUntil: Date): Prisma.Sql => Prisma.sql`,
    moved AS (
      UPDATE payment SET next_check_at = NULL
      WHERE id = ANY(ARRAY(SELECT id FROM claimed WHERE queue = ${firstChecks.name}::text))
      RETURNING id, credential_id),
    first AS (
      INSERT INTO payment_check (payment_id, credential_id, next_check_at)
      SELECT id, credential_id, ${leasedUntil}::timestamptz FROM moved
      ON CONFLICT (payment_id) DO NOTHING
      RETURNING payment_id AS id, credential_id AS "credentialId"),
    again AS (${lease(waiting.payment, leasedUntil)})
    SELECT * FROM first UNION ALL SELECT * FROM again`;

/** When the longest overdue unclaimed row became due. Costs as much as a claim. */
export async function longestDueSince(db: Queryable, kind: DueKind, now: Date): Promise<Date | null> {
  const longest = queuesOf(kind).map(
    ({ table, isWaiting, lane }) => Prisma.sql`
      (SELECT min(of_lane.next_check_at) FROM ${lane} lane CROSS JOIN LATERAL (
        SELECT next_check_at FROM ${table}
        WHERE ${isWaiting} AND credential_id = lane.credential_id AND next_check_at <= ${now}
        ORDER BY next_check_at LIMIT 1) of_lane),
      (SELECT next_check_at FROM ${table}
        WHERE ${isWaiting} AND credential_id IS NULL AND next_check_at <= ${now}
        ORDER BY credential_id, next_check_at LIMIT 1)`,
  );
  const [row] = await db.$queryRaw<{ since: Date | null }[]>`
    WITH RECURSIVE ${lanesOf(kind)}
    SELECT least(${Prisma.join(longest)}) AS since`;
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
