import type { BookProblem } from '../rules/problems.ts';
import type { Cents } from '../../base/money.ts';
import type { FeeTerms } from '../../providers/rules/fees/fees.ts';
import type { Mode } from '../../base/mode.ts';
import { cents } from '../../base/money.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';

/** A day of a credential: how far the import of its statement is, and how it compared last time. */
export interface StatementDay extends DaySums {
  id: string;
  organizationId: string;
  mode: Mode;
  provider: string;
  /** The organization's id in test mode: its sandbox is one account, whichever credentials its payments name. */
  credentialId: string;
  /** `YYYY-MM-DD`, in Brasília. */
  day: string;
  importedAt: Date | null;
  /** The number that the entries of the last complete import carry. */
  round: number;
  nextRound: number;
  cursor: string | null;
  isListed: boolean;
  /** Since when the current import waits for charges that could not be looked up. */
  waitingSince: Date | null;
  problem: string | null;
  /** A `BookProblem`, perhaps written by a newer node. */
  problemReason: unknown;
  /** Counts the open ones. */
  differenceCount: number;
  settledCount: number;
  /** When it is imported next. While it is being imported, this is the node's lease. */
  nextCheckAt: Date | null;
}

interface DaySums {
  pixCount: number;
  receivedInCents: Cents;
  /** What has left this day's Pix again, and the part of it that was taken back. Null when the statement does not list that. */
  returnedInCents: Cents | null;
  reversedInCents: Cents | null;
  feeInCents: Cents | null;
  /** What the fees of the credential say; null where nobody had given any for the day. */
  expectedFeeInCents: Cents | null;
  /** Those fees; null also for days that older nodes compared. */
  fees: FeeTerms | null;
  ownPixCount: number;
  ownReceivedInCents: Cents;
  ownReturnedInCents: Cents;
}

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

type Row = NonNullable<Awaited<ReturnType<Database['statementDay']['findUnique']>>>;

const centsOrNull = (value: bigint | null): Cents | null => (value === null ? null : cents(value));

const statementDayOf = ({ day, ...row }: Row): StatementDay => ({
  ...row,
  day: day.toISOString().slice(0, 10),
  receivedInCents: cents(row.receivedInCents),
  returnedInCents: centsOrNull(row.returnedInCents),
  reversedInCents: centsOrNull(row.reversedInCents),
  feeInCents: centsOrNull(row.feeInCents),
  expectedFeeInCents: centsOrNull(row.expectedFeeInCents),
  fees: row.fees as FeeTerms | null,
  ownReceivedInCents: cents(row.ownReceivedInCents),
  ownReturnedInCents: cents(row.ownReturnedInCents),
});

export async function findStatementDay(db: Queryable, id: string): Promise<StatementDay | undefined> {
  const row = await db.statementDay.findUnique({ where: { id } });
  return row ? statementDayOf(row) : undefined;
}

/** False when another node has compared it since it was read. */
export async function lockStatementDay(
  tx: Queryable,
  { id, nextRound }: Pick<StatementDay, 'id' | 'nextRound'>,
): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM statement_day WHERE id = ${id}::uuid AND next_round = ${nextRound}::int AND is_listed
    FOR NO KEY UPDATE`;
  return locked.length > 0;
}

export interface DayRange {
  organizationId: string;
  mode: Mode;
  credentialId?: string | undefined;
  from: string;
  to: string;
}

interface DayPage {
  /** Where the last page ended. */
  after?: Pick<StatementDay, 'day' | 'credentialId'> | undefined;
  limit?: number | undefined;
}

/** Newest first. */
export async function listStatementDays(
  db: Queryable,
  { organizationId, mode, credentialId, from, to }: DayRange,
  { after, limit }: DayPage = {},
): Promise<StatementDay[]> {
  const rows = await db.statementDay.findMany({
    where: {
      organizationId,
      mode,
      day: { gte: dateOf(from), lte: dateOf(after && after.day < to ? after.day : to) },
      ...(credentialId !== undefined && { credentialId }),
      ...(after && {
        OR: [{ day: { lt: dateOf(after.day) } }, { credentialId: { gt: after.credentialId } }],
      }),
    },
    orderBy: [{ day: 'desc' }, { credentialId: 'asc' }],
    ...(limit !== undefined && { take: limit }),
  });
  return rows.map(statementDayOf);
}

export interface OpenDay {
  credentialId: string;
  day: string;
  differenceCount: number;
}

/** Days with open differences, oldest first. */
export const listOpenDays = (
  db: Queryable,
  { organizationId, mode, limit }: { organizationId: string; mode: Mode; limit: number },
): Promise<OpenDay[]> =>
  db.$queryRaw<OpenDay[]>`
    SELECT credential_id AS "credentialId", day::text, difference_count AS "differenceCount"
    FROM statement_day
    WHERE organization_id = ${organizationId}::uuid AND difference_count > 0 AND mode = ${mode}::"Mode"
    ORDER BY day, credential_id LIMIT ${limit}::int`;

/**
 * Adds the days that live credentials lack, each due at `dueAt`, but none before a credential was created. Covers one
 * credential, one organization, or all.
 */
export const insertStatementDays = (
  db: Queryable,
  {
    from,
    to,
    dueAt,
    organizationId = null,
    credentialId = null,
  }: {
    from: string;
    to: string;
    dueAt: Date;
    organizationId?: string | null;
    credentialId?: string | null | undefined;
  },
): Promise<number> =>
  db.$executeRaw`
    INSERT INTO statement_day (id, organization_id, provider, credential_id, day, next_check_at)
    SELECT gen_random_uuid(), c.organization_id, c.provider, c.id, days.day::date, ${dueAt}
    FROM credential c
    CROSS JOIN generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') AS days(day)
    WHERE (c.enabled OR c.archived_at > ${from}::date::timestamp - interval '90 days') AND c.provider <> 'sandbox'
      AND (${organizationId}::uuid IS NULL OR c.organization_id = ${organizationId}::uuid)
      AND (${credentialId}::uuid IS NULL OR c.id = ${credentialId}::uuid)
      AND c.created_at < (days.day + interval '1 day') AT TIME ZONE 'America/Sao_Paulo'
    ON CONFLICT (credential_id, day) DO NOTHING`;

/** `insertStatementDays` for sandboxes, only for days on which they received something. */
export function insertSandboxDays(
  db: Queryable,
  { from, to, dueAt }: { from: string; to: string; dueAt: Date },
): Promise<number> {
  const ofDay = Prisma.sql`
    WHERE organization_id = o.id AND paid_at >= days.day AT TIME ZONE 'America/Sao_Paulo'
      AND paid_at < (days.day + interval '1 day') AT TIME ZONE 'America/Sao_Paulo'
    ORDER BY organization_id, paid_at LIMIT 1`;
  return db.$executeRaw`
    INSERT INTO statement_day (id, organization_id, mode, provider, credential_id, day, next_check_at)
    SELECT gen_random_uuid(), o.id, 'test', 'sandbox', o.id, days.day::date, ${dueAt}
    FROM organization o
    CROSS JOIN generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') AS days(day)
    WHERE coalesce((SELECT paid_at FROM sandbox_pix ${ofDay}), (SELECT paid_at FROM sandbox_key_pix ${ofDay})) IS NOT NULL
    ON CONFLICT (credential_id, day) DO NOTHING`;
}

/** For a day that somebody asks for, even if it received nothing. */
export const insertSandboxDay = (
  db: Queryable,
  { organizationId, day, dueAt }: { organizationId: string; day: string; dueAt: Date },
): Promise<number> =>
  db.$executeRaw`
    INSERT INTO statement_day (id, organization_id, mode, provider, credential_id, day, next_check_at)
    VALUES (gen_random_uuid(), ${organizationId}::uuid, 'test', 'sandbox', ${organizationId}::uuid, ${day}::date, ${dueAt})
    ON CONFLICT (credential_id, day) DO NOTHING`;

/** Makes the days due at `at`, except those that are due before `unlessBefore`. Returns how many. */
export async function hastenStatementDays(
  db: Queryable,
  { organizationId, mode, credentialId, from, to }: DayRange,
  { at, unlessBefore }: { at: Date; unlessBefore: Date },
): Promise<number> {
  const { count } = await db.statementDay.updateMany({
    where: {
      organizationId,
      mode,
      ...(credentialId !== undefined && { credentialId }),
      day: { gte: dateOf(from), lte: dateOf(to) },
      OR: [{ nextCheckAt: null }, { nextCheckAt: { gt: unlessBefore } }],
    },
    data: { nextCheckAt: at },
  });
  return count;
}

export type StatementDayChange = Partial<
  Pick<StatementDay, 'cursor' | 'isListed' | 'waitingSince' | 'problem' | 'nextRound'>
> & { nextCheckAt: Date | null; problemReason?: BookProblem };

export async function changeStatementDay(
  db: Queryable,
  id: string,
  change: StatementDayChange,
): Promise<void> {
  await db.statementDay.update({ where: { id }, data: change, select: { id: true } });
}

/** Continues from the page that was read; false when another node has done so already. */
export async function advanceStatementDay(
  tx: Queryable,
  { id, cursor, nextRound }: Pick<StatementDay, 'id' | 'cursor' | 'nextRound'>,
  change: StatementDayChange,
): Promise<boolean> {
  const where = { id, cursor, nextRound, isListed: false };
  const { count } = await tx.statementDay.updateMany({ where, data: change });
  return count === 1;
}
