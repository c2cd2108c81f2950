import type { Cents } from '../../base/money.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

const sums = Prisma.raw('pix_count, received_in_cents, returned_in_cents, reversed_in_cents');
const addedUp =
  Prisma.raw(`sum(pix_count)::int AS pix_count, sum(received_in_cents)::bigint AS received_in_cents,
  sum(returned_in_cents)::bigint AS returned_in_cents, sum(reversed_in_cents)::bigint AS reversed_in_cents`);

const addToHours = Prisma.raw(`
  INSERT INTO receipt_hour AS h (organization_id, mode, hour, credential_id, provider, pix_count, received_in_cents,
    returned_in_cents, reversed_in_cents)
  SELECT organization_id, mode, hour, credential_id, provider, sum(pix_count), sum(received_in_cents),
    sum(returned_in_cents), sum(reversed_in_cents)
  FROM change GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, mode, hour, credential_id, provider) DO UPDATE SET
    pix_count = h.pix_count + excluded.pix_count, received_in_cents = h.received_in_cents + excluded.received_in_cents,
    returned_in_cents = h.returned_in_cents + excluded.returned_in_cents,
    reversed_in_cents = h.reversed_in_cents + excluded.reversed_in_cents`);

/** Adds some changes to their hours, except to hours whose earlier Pix are not added yet; returns how many. */
export async function addReceiptChanges(db: Queryable, limit: number): Promise<number> {
  const [added] = await db.$queryRaw<{ count: number }[]>`
    WITH change AS (
      DELETE FROM receipt_change WHERE (organization_id, mode, hour, id) IN (
        SELECT organization_id, mode, hour, id FROM receipt_change c
        WHERE NOT EXISTS (SELECT FROM receipt_backfill b WHERE b.organization_id = c.organization_id AND b.before > c.hour)
        ORDER BY organization_id, mode, hour, id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)
      RETURNING *),
    added AS (${addToHours})
    SELECT count(*)::int AS count FROM change`;
  return added?.count ?? 0;
}

interface Days {
  organizationIds: string[] | null;
  modes: string[];
  days: Date[];
}

/**
 * Copies the hours of past days into a row for each day; returns how many. Nothing is added to the hours of a day whose row is
 * locked, and the second statement sees everything added until then.
 */
export async function copyReceiptDays(tx: Queryable, limit: number): Promise<number> {
  const [due] = await tx.$queryRaw<Days[]>`
    SELECT array_agg(organization_id) AS "organizationIds", array_agg(mode::text) AS modes, array_agg(day) AS days FROM (
      SELECT organization_id, mode, day FROM receipt_day d
      WHERE NOT is_copied AND day < date_trunc('day', now() - interval '2 hours', 'UTC')
        AND NOT EXISTS (SELECT FROM receipt_backfill b WHERE b.organization_id = d.organization_id AND b.before > d.day)
      ORDER BY day LIMIT ${limit}::int FOR UPDATE SKIP LOCKED) AS due`;
  if (!due?.organizationIds) return 0;
  return tx.$executeRaw`
    UPDATE receipt_day AS d SET is_copied = true, hours = s.hours, credential_id = s.credential_id, provider = s.provider,
      pix_count = s.pix_count, received_in_cents = s.received_in_cents, returned_in_cents = s.returned_in_cents,
      reversed_in_cents = s.reversed_in_cents
    FROM (
      SELECT due.organization_id, due.mode, due.day,
        array_agg(extract(hour FROM h.hour AT TIME ZONE 'UTC')::smallint) AS hours,
        array_agg(credential_id) AS credential_id, array_agg(provider) AS provider, array_agg(pix_count) AS pix_count,
        array_agg(received_in_cents) AS received_in_cents, array_agg(returned_in_cents) AS returned_in_cents,
        array_agg(reversed_in_cents) AS reversed_in_cents
      FROM unnest(${due.organizationIds}::uuid[], ${due.modes}::"Mode"[], ${due.days}::timestamptz[])
        AS due(organization_id, mode, day)
      CROSS JOIN LATERAL (
        SELECT * FROM receipt_hour WHERE organization_id = due.organization_id AND mode = due.mode
          AND hour >= due.day AND hour < due.day + interval '24 hours' ORDER BY hour) AS h
      GROUP BY due.organization_id, due.mode, due.day) AS s
    WHERE d.organization_id = s.organization_id AND d.mode = s.mode AND d.day = s.day`;
}

export interface ReceiptBackfill {
  organizationId: string;
  before: Date;
}

/** Locks one of the remaining backfills until the transaction ends. */
export async function lockReceiptBackfill(tx: Queryable): Promise<ReceiptBackfill | undefined> {
  const [row] = await tx.$queryRaw<ReceiptBackfill[]>`
    SELECT organization_id AS "organizationId", before FROM receipt_backfill
    ORDER BY organization_id LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return row;
}

/** The hour of the last Pix before this one. */
export async function findHourOfPix(
  tx: Queryable,
  { organizationId, before }: ReceiptBackfill,
): Promise<Date | undefined> {
  const [row] = await tx.$queryRaw<{ hour: Date }[]>`
    SELECT date_trunc('hour', paid_at, 'UTC') AS hour FROM received_pix
    WHERE organization_id = ${organizationId}::uuid AND paid_at < ${before} ORDER BY paid_at DESC LIMIT 1`;
  return row?.hour;
}

/**
 * Adds the Pix of an hour as they are now, and drops their changes so far. Takes a single statement, so that it sees both a
 * change and what it is about, or neither.
 */
export async function addHourOfPix(tx: Queryable, organizationId: string, hour: Date): Promise<void> {
  const end = new Date(hour.getTime() + 3_600_000);
  await tx.$executeRaw`
    WITH pix AS MATERIALIZED (
      SELECT organization_id, payment_id, attempt_id, end_to_end_id, amount_in_cents, returned_in_cents FROM received_pix
      WHERE organization_id = ${organizationId}::uuid AND paid_at >= ${hour} AND paid_at < ${end}),
    change AS (
      SELECT pix.organization_id, payment.mode, ${hour}::timestamptz AS hour,
        coalesce(attempt.credential_id, '00000000-0000-0000-0000-000000000000') AS credential_id, attempt.provider,
        1 AS pix_count, pix.amount_in_cents AS received_in_cents,
        pix.returned_in_cents + refunded.total AS returned_in_cents, reversed.total AS reversed_in_cents
      FROM pix
      CROSS JOIN LATERAL (SELECT mode FROM payment WHERE id = pix.payment_id LIMIT 1) payment
      CROSS JOIN LATERAL (
        SELECT provider, credential_id FROM payment_attempt WHERE id = pix.attempt_id LIMIT 1) attempt
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_in_cents), 0) AS total FROM refund
        WHERE payment_id = pix.payment_id AND end_to_end_id = pix.end_to_end_id AND status = 'completed') refunded
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_in_cents), 0) AS total FROM reversal
        WHERE payment_id = pix.payment_id AND end_to_end_id = pix.end_to_end_id AND status = 'completed'
          AND reason <> 'returned_at_psp') reversed),
    dropped AS (
      DELETE FROM receipt_change WHERE organization_id = ${organizationId}::uuid
        AND mode = ANY('{test,live}'::"Mode"[]) AND hour = ${hour}),
    moved AS (
      UPDATE receipt_backfill SET before = ${hour} WHERE organization_id = ${organizationId}::uuid)
    ${addToHours}`;
}

export async function endReceiptBackfill(tx: Queryable, organizationId: string): Promise<void> {
  await tx.receiptBackfill.delete({ where: { organizationId } });
}

export interface ReceiptSums {
  pixCount: number;
  receivedInCents: Cents;
  /** What left these Pix again, and the part of it that was taken back. */
  returnedInCents: Cents;
  reversedInCents: Cents;
}

export interface ReceiptRow extends ReceiptSums {
  /** Index into `starts`. */
  day: number;
  /** Null for the sandbox without a credential. */
  credentialId: string | null;
  provider: string;
}

/** Adds up by day, credential and provider. `starts` are whole hours: the start of each day, and the end of the last. */
export function sumReceipts(
  db: Queryable,
  { organizationId, mode }: Tenant,
  starts: readonly Date[],
): Promise<ReceiptRow[]> {
  const [start, end] = [starts[0], starts.at(-1)];
  const ofTenant = Prisma.sql`organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"`;
  const inRange = Prisma.sql`hour >= ${start}::timestamptz AND hour < ${end}::timestamptz`;
  return db.$queryRaw`
    WITH stored AS MATERIALIZED (
      SELECT * FROM receipt_day
      WHERE ${ofTenant} AND day >= date_trunc('day', ${start}::timestamptz, 'UTC') AND day < ${end}::timestamptz),
    counted AS (
      SELECT * FROM (
        SELECT day + n * interval '1 hour' AS hour, s.* FROM stored,
          unnest(hours, credential_id, provider, ${sums}) AS s(n, credential_id, provider, ${sums})
        WHERE is_copied) AS copied
      WHERE ${inRange}
      UNION ALL
      SELECT uncopied.* FROM stored CROSS JOIN LATERAL (
        SELECT hour, 0, credential_id, provider, ${sums} FROM receipt_hour
        WHERE organization_id = stored.organization_id AND mode = stored.mode
          AND hour >= stored.day AND hour < stored.day + interval '24 hours' ORDER BY hour) AS uncopied
      WHERE NOT stored.is_copied AND ${inRange}
      UNION ALL
      SELECT hour, 0, credential_id, provider, ${sums} FROM receipt_change
      WHERE ${ofTenant} AND ${inRange} AND hour >= coalesce((
        SELECT before FROM receipt_backfill WHERE organization_id = ${organizationId}::uuid), '-infinity')),
    days AS (
      SELECT width_bucket(hour, ${starts}::timestamptz[]) - 1 AS day, credential_id, provider, ${addedUp}
      FROM counted GROUP BY 1, 2, 3)
    SELECT day, nullif(credential_id, '00000000-0000-0000-0000-000000000000') AS "credentialId", provider,
      pix_count AS "pixCount", received_in_cents AS "receivedInCents", returned_in_cents AS "returnedInCents",
      reversed_in_cents AS "reversedInCents"
    FROM days WHERE pix_count <> 0 OR returned_in_cents <> 0 ORDER BY day DESC, provider, credential_id`;
}

/** Pix received before this are not in the sums yet; null once all are. */
export async function findReceiptsSince(db: Queryable, organizationId: string): Promise<Date | null> {
  const row = await db.receiptBackfill.findUnique({ where: { organizationId } });
  return row?.before ?? null;
}

/** Allows enough time for a busy hour on a slow disk. */
export const inReceiptRollUp = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  db.$transaction(work, { timeout: 30_000 });
