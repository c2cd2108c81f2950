import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';

interface Queue {
  table: Prisma.Sql;
  isWaiting: Prisma.Sql;
  /** The column that identifies a row. */
  id: Prisma.Sql;
  /** Its credentials, as a part of a statement. */
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
  psp_sweep: queue('psp_sweep', 'next_check_at IS NOT NULL'),
  listed_charge: queue('listed_charge', 'true'),
  statement_day: queue('statement_day', 'next_check_at IS NOT NULL'),
} as const;

/** Payments that have not been claimed yet: the first claim moves them to `payment_check`. */
export const firstChecks = queue('payment', `status = 'pending'`);

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

const queuesOf = (kind: DueKind): Queue[] =>
  kind === 'payment' ? [waiting.payment, firstChecks] : [waiting[kind]];

/** The credentials that have rows waiting, one by one from the index: its cost does not grow with the rows. */
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
 * A constant of at least `rows` is known to the planner. Without one it may read all that wait for a credential from
 * an index in another order, and sort them. There are few, as each is a statement of its own.
 */
const knownLimit = (rows: number): Prisma.Sql => Prisma.raw(String(16 * Math.ceil(Math.max(1, rows) / 16)));

/** The due rows of a queue, up to the slots of each credential. The outer limits end the inner selections early. */
const dueIn = ({ name, table, isWaiting, id, lane }: Queue, kind: DueKind, claim: DueClaim): Prisma.Sql => {
  const { now, slots, slotsOf } = claim;
  const slotsOfNone = slotsOf.get(null) ?? slots;
  const mostSlots = Math.max(slots, ...[...slotsOf].map(([ofLane, free]) => (ofLane === null ? 0 : free)));
  // Names `credential_id` too, as the planner does not see that it is the same where it is null.
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
 * Claims due rows, first of the credential with the most free slots, then longest due first, and per credential only as many
 * as it has slots for, so that a PSP that hangs delays no other, and none of a paused one. A crashed worker costs one lease, and concurrent workers claim different rows.
 * Walks from credential to credential in the index of waiting rows, so the cost grows with the credentials
 * that have rows waiting, not with rows.
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
 * A payment may have both, after a node of 1.0 that answered when its lease was over: then its `payment_check` counts, which
 * somebody may have leased.
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

/** Finds since when the longest overdue row that no worker has claimed is due. Costs what a claim costs. */
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
