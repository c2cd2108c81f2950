import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import type { DueInLane, DuePart, Lane } from '../../base/pacing/due-lanes.ts';

interface Queue {
  name: string;
  table: Prisma.Sql;
  isWaiting: Prisma.Sql;
  /** The column that identifies a row. */
  id: Prisma.Sql;
}

const queue = (name: string, isWaiting: string, id = 'id'): Queue => ({
  name,
  table: Prisma.raw(name),
  isWaiting: Prisma.raw(isWaiting),
  id: Prisma.raw(id),
});

/** Rows that wait for a PSP, with conditions that match their indexes: by credential, and by time. */
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
const isPausable = (kind: DueKind): boolean => kind !== 'psp_notification';

export interface DueRow {
  id: string;
  /** Null for the sandbox itself, which calls no PSP. */
  credentialId: Lane;
}

export interface DueClaim {
  now: Date;
  leasedUntil: Date;
  limit: number;
  /** The credentials to claim from, with the limit of rows of each. */
  slotsOf: ReadonlyMap<Lane, number>;
}

export interface ClaimedDue {
  claimed: DueRow[];
  /** Until when those of the credentials are held back that are. */
  paused: ReadonlyMap<Lane, Date>;
}

const queuesOf = (kind: DueKind): Queue[] =>
  kind === 'payment' ? [waiting.payment, firstChecks] : [waiting[kind]];

/** When a row is due, written exactly like the indexes by time, which only these statements match. */
const dueAt = Prisma.sql`coalesce(next_check_at, 'infinity')`;

const isDueOfNone = ({ isWaiting }: Queue, now: Date): Prisma.Sql =>
  Prisma.sql`${isWaiting} AND credential_id IS NULL AND next_check_at <= ${now}`;

/** Since when checks of payments are overdue at each provider, as far as the first thousand of them tell. */
export function longestDueOfProviders(
  db: Queryable,
  until: Date,
): Promise<{ provider: string; since: Date }[]> {
  const first = queuesOf('payment').map(
    ({ table, isWaiting }) => Prisma.sql`
      (SELECT credential_id, ${dueAt} AS at FROM ${table}
      WHERE ${isWaiting} AND credential_id IS NOT NULL AND ${dueAt} <= ${until}
      ORDER BY ${dueAt}, credential_id LIMIT 1000)`,
  );
  return db.$queryRaw`
    SELECT credential.provider, min(due.at) AS since FROM (${Prisma.join(first, ' UNION ALL ')}) AS due
    JOIN credential ON credential.id = due.credential_id GROUP BY credential.provider`;
}

/** Credentials with due rows, and whether any is due that has none. */
export function findDue(db: Queryable, kind: DueKind, part: DuePart): Promise<DueInLane[]> {
  const { until, after, before, limit } = part;
  const order = Prisma.raw(before ? 'DESC' : 'ASC');
  const bounds = [
    Prisma.sql`credential_id IS NOT NULL AND ${dueAt} <= ${until}`,
    ...(after ? [Prisma.sql`(${dueAt}, credential_id) > (${after.at}, ${after.lane}::uuid)`] : []),
    ...(before ? [Prisma.sql`(${dueAt}, credential_id) < (${before.at}, ${before.lane}::uuid)`] : []),
  ];
  const queues = queuesOf(kind);
  const inLanes = queues.map(
    ({ table, isWaiting }) => Prisma.sql`(SELECT credential_id AS lane, ${dueAt} AS at FROM ${table}
      WHERE ${isWaiting} AND ${Prisma.join(bounds, ' AND ')}
      ORDER BY ${dueAt} ${order}, credential_id ${order} LIMIT ${limit}::int)`,
  );
  const ofNone = queues.map(
    (each) => Prisma.sql`(SELECT NULL::uuid AS lane, next_check_at AS at FROM ${each.table}
      WHERE ${isDueOfNone(each, until)} ORDER BY credential_id, next_check_at LIMIT 1)`,
  );
  return db.$queryRaw<DueInLane[]>`
    (SELECT * FROM (${Prisma.join(inLanes, ' UNION ALL ')}) AS due ORDER BY at ${order}, lane ${order} LIMIT ${limit}::int)
    UNION ALL ${Prisma.join(ofNone, ' UNION ALL ')}`;
}

/**
 * Gives the planner a constant of at least `rows`. Without one it may read everything that waits for a credential from an index
 * in another order, and sort it. There are few such constants, as each makes a statement of its own.
 */
const knownLimit = (rows: number): Prisma.Sql => Prisma.raw(String(16 * Math.ceil(Math.max(1, rows) / 16)));

/** The due rows of a queue, up to the slots of each credential. The outer limits end the inner selections early. */
const dueIn = ({ name, table, isWaiting, id }: Queue, { now, slotsOf }: DueClaim): Prisma.Sql => {
  const slotsOfNone = slotsOf.get(null) ?? 0;
  const mostSlots = Math.max(...[...slotsOf].map(([lane, slots]) => (lane === null ? 0 : slots)));
  // Names `credential_id` too, because the planner does not see that it is the same everywhere when it is null.
  const due = (ofLane: Prisma.Sql, most: number) => Prisma.sql`
        SELECT ${id} AS id, next_check_at FROM ${table}
        WHERE ${isWaiting} AND ${ofLane} AND next_check_at <= ${now}
        ORDER BY credential_id, next_check_at LIMIT ${knownLimit(most)}
        FOR NO KEY UPDATE SKIP LOCKED`;
  return Prisma.sql`
      SELECT of_lane.id, of_lane.next_check_at, lane.id AS credential_id, lane.slots, ${name}::text AS queue
      FROM free AS lane CROSS JOIN LATERAL (
        SELECT * FROM (${due(Prisma.sql`credential_id = lane.id`, mostSlots)}) due LIMIT lane.slots) of_lane
      UNION ALL
      SELECT of_none.id, of_none.next_check_at, NULL, ${slotsOfNone}::int, ${name}::text FROM (
        SELECT * FROM (${due(Prisma.sql`credential_id IS NULL`, slotsOfNone)}) due
        LIMIT ${slotsOfNone}::int) of_none`;
};

/**
 * Claims due rows: first those of the credential with the most free slots, then the longest due. Each credential gets only as
 * many as it has slots for, so that a hanging PSP delays no other, and a paused one gets none. A crashed worker costs one
 * lease; concurrent workers claim different rows. The cost grows with the credentials that are asked for, and not with rows.
 */
export async function claimDue(db: Queryable, kind: DueKind, claim: DueClaim): Promise<ClaimedDue> {
  const { now, leasedUntil, limit, slotsOf } = claim;
  const lanes = [...slotsOf].flatMap(([lane, slots]) => (lane === null ? [] : [{ lane, slots }]));
  const due = queuesOf(kind).map((each) => dueIn(each, claim));
  const rows = await db.$queryRaw<(DueRow | { id: null; credentialId: string; pausedUntil: Date })[]>`
    WITH lane AS (
      SELECT * FROM unnest(${lanes.map(({ lane }) => lane)}::uuid[], ${lanes.map(({ slots }) => slots)}::int[]) AS lane(id, slots)),
    paused AS MATERIALIZED (
      SELECT credential_id, paused_until FROM lane JOIN credential_traffic ON credential_id = lane.id
      WHERE paused_until > ${now} AND ${isPausable(kind)}::boolean),
    free AS MATERIALIZED (SELECT * FROM lane WHERE id NOT IN (SELECT credential_id FROM paused)),
    due AS (${Prisma.join(due, ' UNION ALL ')}),
    placed AS (
      SELECT *, row_number() OVER (PARTITION BY credential_id ORDER BY next_check_at) AS place FROM due),
    claimed AS (
      SELECT id, queue FROM placed WHERE place <= slots ORDER BY slots - place DESC, next_check_at LIMIT ${limit}::int),
    ${kind === 'payment' ? leaseChecks(leasedUntil) : Prisma.sql`leased AS (${lease(waiting[kind], leasedUntil)})`}
    SELECT id, "credentialId", NULL AS "pausedUntil" FROM leased
    UNION ALL SELECT NULL, credential_id, paused_until FROM paused`;
  const paused = new Map<Lane, Date>();
  const claimed: DueRow[] = [];
  for (const row of rows) {
    if (row.id === null) paused.set(row.credentialId, row.pausedUntil);
    else claimed.push({ id: row.id, credentialId: row.credentialId });
  }
  return { claimed, paused };
}

const lease = ({ name, table, id }: Queue, leasedUntil: Date): Prisma.Sql => Prisma.sql`
    UPDATE ${table} SET next_check_at = ${leasedUntil}
    WHERE ${id} = ANY(ARRAY(SELECT id FROM claimed WHERE queue = ${name}::text))
    RETURNING ${id} AS id, credential_id AS "credentialId"`;

/**
 * A payment may be in both queues after a node of 1.0 responded past its lease. Then its `payment_check` counts, which somebody
 * may have leased.
 */
const leaseChecks = (leasedUntil: Date): Prisma.Sql => Prisma.sql`
    moved AS (
      UPDATE payment SET next_check_at = NULL
      WHERE id = ANY(ARRAY(SELECT id FROM claimed WHERE queue = ${firstChecks.name}::text))
      RETURNING id, credential_id),
    first AS (
      INSERT INTO payment_check (payment_id, credential_id, next_check_at)
      SELECT id, credential_id, ${leasedUntil}::timestamptz FROM moved
      ON CONFLICT (payment_id) DO NOTHING
      RETURNING payment_id AS id, credential_id AS "credentialId"),
    again AS (${lease(waiting.payment, leasedUntil)}),
    leased AS (SELECT * FROM first UNION ALL SELECT * FROM again)`;

/** When the longest overdue unclaimed row became due. */
export async function longestDueSince(db: Queryable, kind: DueKind, now: Date): Promise<Date | null> {
  const [longest] = (await findDue(db, kind, { until: now, limit: 1 })).sort(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
  return longest?.at ?? null;
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
