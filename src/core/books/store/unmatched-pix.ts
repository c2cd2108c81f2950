import type { NamedPix, StatementPix } from '../../providers/rules/psp-lists.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { StatementDay } from './statement-days.ts';
import { attemptIdIn } from './statement-entries.ts';

export type BookAccount = Pick<StatementDay, 'organizationId' | 'mode' | 'provider' | 'credentialId'>;

/**
 * The positions of those that no attempt, no payment and no book has, of whichever credential of the provider. Each `LIMIT 1` is a
 * lookup by index.
 */
export async function findUnmatched(
  db: Queryable,
  { organizationId, provider, credentialId }: BookAccount,
  pix: readonly NamedPix[],
): Promise<Set<number>> {
  const rows = await db.$queryRaw<{ position: number }[]>`
    SELECT listed.position::int - 1 AS position
    FROM unnest(
      ${pix.map(({ reference }) => reference)}::text[],
      ${pix.map(({ endToEndId }) => endToEndId)}::text[],
      ${pix.map(attemptIdIn)}::uuid[],
      ${pix.map(({ charge }) => charge.reference)}::text[]
    ) WITH ORDINALITY AS listed(reference, end_to_end_id, attempt_id, charge_reference, position)
    WHERE (SELECT id FROM payment_attempt WHERE id = listed.attempt_id LIMIT 1) IS NULL
      AND (SELECT id FROM payment_attempt WHERE psp_reference = listed.charge_reference LIMIT 1) IS NULL
      AND (SELECT payment_id FROM received_pix WHERE organization_id = ${organizationId}::uuid
        AND end_to_end_id = listed.end_to_end_id LIMIT 1) IS NULL
      AND (SELECT payment_id FROM received_pix WHERE organization_id = ${organizationId}::uuid
        AND told_end_to_end_id IS NOT NULL AND told_end_to_end_id = listed.end_to_end_id LIMIT 1) IS NULL
      AND (SELECT known.reference FROM (
          SELECT ${credentialId}::uuid AS id
          UNION SELECT id FROM credential WHERE organization_id = ${organizationId}::uuid AND provider = ${provider}) account
        JOIN statement_entry known ON known.credential_id = account.id AND known.reference = listed.reference
        LIMIT 1) IS NULL`;
  return new Set(rows.map(({ position }) => position));
}

/** Until the transaction ends, no other node tells of money of the organization, at whichever of its credentials. */
export const lockUnmatched = (tx: Queryable, { organizationId }: BookAccount): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`unmatched pix ${organizationId}`}, 0))`;

/**
 * Enters a Pix into its day before the statement of that is imported, as a difference. Returns the id of that; undefined if the
 * books have the Pix already.
 */
export async function insertUnmatched(
  tx: Queryable,
  { organizationId, mode, provider, credentialId }: BookAccount,
  pix: StatementPix,
  { day, dueAt, at }: { day: string; dueAt: Date; at: Date },
): Promise<string | undefined> {
  await tx.$executeRaw`
    INSERT INTO statement_day (id, organization_id, mode, provider, credential_id, day, next_check_at)
    VALUES (gen_random_uuid(), ${organizationId}::uuid, ${mode}::"Mode", ${provider}, ${credentialId}::uuid, ${day}::date,
      ${dueAt})
    ON CONFLICT (credential_id, day) DO NOTHING`;
  const [difference] = await tx.$queryRaw<{ id: string }[]>`
    WITH day AS MATERIALIZED (
      SELECT id, round FROM statement_day WHERE credential_id = ${credentialId}::uuid AND day = ${day}::date
      FOR NO KEY UPDATE),
    entry AS (
      INSERT INTO statement_entry (credential_id, reference, day, round, end_to_end_id, attempt_id, charge_reference,
        amount_in_cents, returned_in_cents, reversed_in_cents, fee_in_cents, received_at, told_at)
      SELECT ${credentialId}::uuid, ${pix.reference}, ${day}::date, day.round, ${pix.endToEndId}, ${attemptIdIn(pix)}::uuid,
        ${pix.charge.reference}, ${pix.amountInCents}::bigint, ${pix.returnedInCents}::bigint,
        ${pix.reversedInCents}::bigint, ${pix.feeInCents}::bigint, ${pix.receivedAt}::timestamptz, ${at}::timestamptz
      FROM day
      ON CONFLICT (credential_id, reference) DO NOTHING
      RETURNING reference, end_to_end_id, amount_in_cents, returned_in_cents),
    difference AS (
      INSERT INTO book_difference (day_id, mode, kind, reference, end_to_end_id, amount_in_cents, returned_in_cents, found_at)
      SELECT day.id, ${mode}::"Mode", 'unmatched_pix', entry.reference, entry.end_to_end_id, entry.amount_in_cents,
        entry.returned_in_cents, ${at} FROM day, entry
      ON CONFLICT (day_id, kind, reference) DO NOTHING
      RETURNING id, day_id),
    counted AS (
      UPDATE statement_day SET difference_count = difference_count + 1
      FROM difference WHERE statement_day.id = difference.day_id)
    SELECT id FROM difference`;
  return difference?.id;
}

interface ToldPix {
  id: string;
  endToEndId: string | null;
  amountInCents: bigint;
  receivedAt: Date;
}

/** Marks the differences of a day that were found at this time as told of, and returns those that were not. */
export const markTold = (
  tx: Queryable,
  {
    dayId,
    credentialId,
    foundAt,
    limit,
  }: { dayId: string; credentialId: string; foundAt: Date; limit: number },
): Promise<ToldPix[]> =>
  tx.$queryRaw<ToldPix[]>`
    WITH found AS MATERIALIZED (
      SELECT difference.id, difference.reference FROM book_difference difference
      WHERE difference.day_id = ${dayId}::uuid AND difference.kind = 'unmatched_pix'
        AND difference.payment_id IS NULL AND difference.settled_at IS NULL AND difference.found_at = ${foundAt}
      ORDER BY difference.reference LIMIT ${limit}::int)
    UPDATE statement_entry entry SET told_at = ${foundAt}
    FROM found WHERE entry.credential_id = ${credentialId}::uuid AND entry.reference = found.reference
      AND entry.told_at IS NULL
    RETURNING found.id, entry.end_to_end_id AS "endToEndId", entry.amount_in_cents AS "amountInCents",
      entry.received_at AS "receivedAt"`;

/** The open difference that an event told of, by its Pix. Locks its day. */
export async function lockTold(
  tx: Queryable,
  { organizationId, endToEndId }: { organizationId: string; endToEndId: string },
): Promise<{ id: string; dayId: string } | undefined> {
  const known = Prisma.sql`
    FROM credential
    JOIN statement_entry entry ON entry.credential_id = credential.id AND entry.reference = ${endToEndId}
      AND entry.told_at IS NOT NULL
    JOIN statement_day day ON day.credential_id = credential.id AND day.day = entry.day`;
  const ofOrganization = Prisma.sql`WHERE credential.organization_id = ${organizationId}::uuid`;
  const [day] = await tx.$queryRaw<{ id: string }[]>`
    SELECT day.id ${known} ${ofOrganization} LIMIT 1 FOR NO KEY UPDATE OF day`;
  if (!day) return undefined;
  const [found] = await tx.$queryRaw<{ id: string; dayId: string }[]>`
    SELECT id, day_id AS "dayId" FROM book_difference
    WHERE day_id = ${day.id}::uuid AND kind = 'unmatched_pix' AND reference = ${endToEndId} AND settled_at IS NULL`;
  return found;
}
