import type { DifferenceKind } from '../rules/books.ts';
import type { Resolution } from '../rules/resolutions.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { DayRange } from './statement-days.ts';

export interface BookDifference {
  id: string;
  dayId: string;
  mode: Mode;
  credentialId: string;
  /** `YYYY-MM-DD`, in Brasília. */
  day: string;
  kind: DifferenceKind;
  endToEndId: string | null;
  paymentId: string | null;
  /** The PSP's amount and ours; null when one of us has none. */
  amountInCents: Cents | null;
  ownAmountInCents: Cents | null;
  /** How much has left again of money without a payment. */
  returnedInCents: Cents | null;
  /** What could not be read of an unreadable item. */
  detail: string | null;
  foundAt: Date;
  /** Null while it is open, like everything below. */
  settledAt: Date | null;
  resolution: Resolution | null;
  reason: string | null;
  assignedPaymentId: string | null;
  /** Also null for the operator. */
  settledBy: string | null;
}

const columns =
  Prisma.raw(`difference.id, difference.day_id AS "dayId", day.mode::text, day.credential_id AS "credentialId",
  day.day::text, difference.kind::text, difference.end_to_end_id AS "endToEndId", difference.payment_id AS "paymentId",
  difference.amount_in_cents AS "amountInCents", difference.own_amount_in_cents AS "ownAmountInCents",
  difference.returned_in_cents AS "returnedInCents", difference.detail, difference.found_at AS "foundAt",
  difference.settled_at AS "settledAt", settled.resolution::text, settled.reason,
  settled.payment_id AS "assignedPaymentId",
  (SELECT email FROM "user" WHERE id = settled.user_id) AS "settledBy"`);

const settlement = Prisma.raw(`book_settlement settled ON difference.settled_at IS NOT NULL
  AND settled.credential_id = day.credential_id AND settled.kind = difference.kind
  AND settled.reference = difference.reference`);

export const listDifferencesOfDays = (db: Queryable, dayIds: readonly string[]): Promise<BookDifference[]> =>
  db.$queryRaw<BookDifference[]>`
    SELECT ${columns} FROM book_difference difference
    JOIN statement_day day ON day.id = difference.day_id
    LEFT JOIN ${settlement}
    WHERE difference.day_id = ANY(${[...dayIds]}::uuid[])
    ORDER BY difference.found_at, difference.kind, difference.reference`;

/** Where a page ended. */
export interface DifferenceKey {
  day: string;
  dayId: string;
  kind: DifferenceKind;
  reference: string;
}

interface DifferencePage {
  state?: 'open' | 'settled' | undefined;
  kind?: DifferenceKind | undefined;
  after?: DifferenceKey | undefined;
  limit: number;
}

const noKey: DifferenceKey = {
  day: 'infinity',
  dayId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  kind: 'unmatched_pix',
  reference: '',
};

/**
 * Newest day first. Every day that is read has a difference, except perhaps the one where the last page ended, so a page reads
 * no more days than it has rows.
 */
export function listDifferences(
  db: Queryable,
  { organizationId, mode, credentialId, from, to }: DayRange,
  { state, kind, after = noKey, limit }: DifferencePage,
): Promise<(BookDifference & Pick<DifferenceKey, 'reference'>)[]> {
  const count = {
    open: 'difference_count',
    settled: 'settled_count',
    any: 'difference_count + settled_count',
  };
  const isSettled = { open: 'settled_at IS NULL', settled: 'settled_at IS NOT NULL', any: 'true' };
  const isWanted = Prisma.sql`${Prisma.raw(isSettled[state ?? 'any'])}
    AND (${kind ?? null}::"DifferenceKind" IS NULL OR kind = ${kind ?? null}::"DifferenceKind")`;
  return db.$queryRaw`
    SELECT ${columns}, difference.reference
    FROM (
      SELECT * FROM statement_day
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
        AND day >= ${from}::date AND day <= ${to}::date
        AND day <= ${after.day}::date AND (day, id) <= (${after.day}::date, ${after.dayId}::uuid)
        AND (${credentialId ?? null}::uuid IS NULL OR credential_id = ${credentialId ?? null}::uuid)
        AND ${Prisma.raw(count[state ?? 'any'])} > 0
        AND (${kind ?? null}::"DifferenceKind" IS NULL
          OR EXISTS (SELECT 1 FROM book_difference WHERE day_id = statement_day.id AND ${isWanted}))
      ORDER BY day DESC, id DESC LIMIT ${limit + 1}::int) day
    CROSS JOIN LATERAL (
      SELECT * FROM book_difference
      WHERE day_id = day.id AND ${isWanted}
        AND (day.id <> ${after.dayId}::uuid
          OR (kind, reference) > (${after.kind}::"DifferenceKind", ${after.reference}))
      ORDER BY kind, reference LIMIT ${limit}::int) difference
    LEFT JOIN ${settlement}
    ORDER BY day.day DESC, day.id DESC, difference.kind, difference.reference LIMIT ${limit}::int`;
}

/** Counts the open differences of all live accounts by kind, each up to a limit. */
export const countOpenDifferences = (
  db: Queryable,
  limit: number,
): Promise<{ kind: DifferenceKind; count: number }[]> =>
  db.$queryRaw`
    SELECT kinds.kind::text, counted.count
    FROM unnest(enum_range(NULL::"DifferenceKind")) AS kinds(kind)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM book_difference WHERE kind = kinds.kind AND settled_at IS NULL AND mode = 'live' LIMIT ${limit}::int) AS open
    ) counted`;

type Tenant = Pick<DayRange, 'organizationId' | 'mode'>;

export async function findDifference(
  db: Queryable,
  { organizationId, mode }: Tenant,
  id: string,
): Promise<BookDifference | undefined> {
  const [found] = await db.$queryRaw<BookDifference[]>`
    SELECT ${columns} FROM book_difference difference
    JOIN statement_day day ON day.id = difference.day_id AND day.organization_id = ${organizationId}::uuid
      AND day.mode = ${mode}::"Mode"
    LEFT JOIN ${settlement}
    WHERE difference.id = ${id}::uuid`;
  return found;
}

/** Locks the difference's day, so that a comparison comes entirely before or after. */
export async function lockDifference(
  tx: Queryable,
  tenant: Tenant,
  id: string,
): Promise<BookDifference | undefined> {
  await tx.$queryRaw`
    SELECT 1 FROM statement_day WHERE organization_id = ${tenant.organizationId}::uuid
      AND id = (SELECT day_id FROM book_difference WHERE id = ${id}::uuid)
    FOR NO KEY UPDATE`;
  return findDifference(tx, tenant, id);
}

export interface NewSettlement {
  resolution: Resolution;
  reason: string;
  paymentId: string | null;
  userId: string | null;
  settledAt: Date;
}

/** The difference must be locked. Replaces a settlement that was for other amounts. */
export async function insertSettlement(
  tx: Queryable,
  { id, dayId }: Pick<BookDifference, 'id' | 'dayId'>,
  { resolution, reason, paymentId, userId, settledAt }: NewSettlement,
): Promise<void> {
  await tx.$executeRaw`
    WITH settled AS (
      UPDATE book_difference SET settled_at = ${settledAt} WHERE id = ${id}::uuid
      RETURNING day_id, kind, reference, amount_in_cents, own_amount_in_cents, returned_in_cents),
    counted AS (
      UPDATE statement_day SET difference_count = greatest(difference_count - 1, 0), settled_count = settled_count + 1
      WHERE id = ${dayId}::uuid
      RETURNING id, credential_id)
    INSERT INTO book_settlement (credential_id, kind, reference, amount_in_cents, own_amount_in_cents,
      returned_in_cents, resolution, reason, payment_id, user_id, settled_at)
    SELECT counted.credential_id, kind, reference, amount_in_cents, own_amount_in_cents, returned_in_cents,
      ${resolution}::"Resolution", ${reason}, ${paymentId}::uuid, ${userId}::uuid, ${settledAt}
    FROM settled JOIN counted ON counted.id = settled.day_id
    ON CONFLICT (credential_id, kind, reference) DO UPDATE SET
      amount_in_cents = excluded.amount_in_cents, own_amount_in_cents = excluded.own_amount_in_cents,
      returned_in_cents = excluded.returned_in_cents, resolution = excluded.resolution, reason = excluded.reason,
      payment_id = excluded.payment_id, user_id = excluded.user_id, settled_at = excluded.settled_at`;
}

/** The difference must be locked. */
export async function deleteSettlement(
  tx: Queryable,
  { id, dayId }: Pick<BookDifference, 'id' | 'dayId'>,
): Promise<void> {
  await tx.$executeRaw`
    WITH reopened AS (
      UPDATE book_difference SET settled_at = NULL WHERE id = ${id}::uuid RETURNING day_id, kind, reference),
    counted AS (
      UPDATE statement_day SET difference_count = difference_count + 1, settled_count = greatest(settled_count - 1, 0)
      WHERE id = ${dayId}::uuid
      RETURNING id, credential_id)
    DELETE FROM book_settlement settled USING reopened JOIN counted ON counted.id = reopened.day_id
    WHERE settled.credential_id = counted.credential_id AND settled.kind = reopened.kind
      AND settled.reference = reopened.reference`;
}
