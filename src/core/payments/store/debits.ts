import type { Cents } from '../../base/money.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { newestRange, tenantValues } from '../../../database/index-range.ts';
import type { Payment, PaymentStatus } from '../rules/payment.ts';
import { paymentColumns, selectPayments, type Tenant } from './payments.ts';

interface Cycle {
  recurrence: { id: string };
  cycle: CalendarDay;
}

/** Lets nobody else make a debit of the recurrence until the transaction ends. */
export async function lockCycle(tx: Queryable, { recurrence: { id } }: Cycle): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM recurrence WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

/** Whether somebody has decided that the recurrence of a debit ends, which its provider may not know yet. */
export async function isEndDecided(db: Queryable, paymentId: string): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM payment p JOIN recurrence r ON r.id = p.recurrence_id
    WHERE p.id = ${paymentId}::uuid AND r.end_requested_at IS NOT NULL`;
  return found.length > 0;
}

/** The debit that stands in the way of another one in the cycle: it lives, or nobody knows yet whether its charge does. */
export function findDebitOfCycle(
  db: Queryable,
  { recurrence: { id: recurrenceId }, cycle: debitCycle }: Cycle,
): Promise<{ id: string; status: PaymentStatus } | null> {
  return db.payment.findFirst({
    where: {
      recurrenceId,
      debitCycle,
      OR: [
        { status: { in: ['creating', 'pending', 'completed', 'refunded'] } },
        { attempts: { some: { outcome: { in: ['open', 'unknown'] } } } },
      ],
    },
    select: { id: true, status: true },
  });
}

/** Whether the cycle has had its debit: one that lives or was paid, or one that failed for good at its provider or because it was not sent. */
export async function hasHadDebit(
  db: Queryable,
  { recurrence: { id: recurrenceId }, cycle: debitCycle }: Cycle,
): Promise<boolean> {
  const found = await db.payment.findFirst({
    where: {
      recurrenceId,
      debitCycle,
      OR: [
        { status: { in: ['pending', 'completed', 'refunded'] } },
        { status: 'failed', attempts: { some: { outcome: { in: ['created', 'skipped'] } } } },
      ],
    },
    select: { id: true },
  });
  return found !== null;
}

/** The ids of a recurrence's debits, newest first. */
export async function listDebits(
  db: Queryable,
  recurrenceId: string,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db.payment.findMany({
    where: {
      recurrenceId,
      status: { not: 'creating' },
      ...(beforeId !== undefined && { id: { lt: beforeId } }),
    },
    select: { id: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

/** What the partial index of such debits has. */
export const failedByOurFault = Prisma.sql`recurrence_id IS NOT NULL AND status = 'failed'
  AND (debit ->> 'reason' = 'our_fault' OR debit #>> '{attempts,-1,reason}' = 'our_fault')`;

const failedOrRetrying = Prisma.sql`recurrence_id IS NOT NULL
  AND (status = 'failed' OR (status = 'pending' AND debit ->> 'state' = 'retrying'))`;

/** Debits that failed, for good or until they are tried again, newest first. The conditions are those of partial indexes. */
export function listFailedDebits(
  db: Queryable,
  tenant: Tenant,
  page: { isOurFault: boolean; beforeId: string | undefined; limit: number },
): Promise<Payment[]> {
  const { isOurFault, beforeId, limit } = page;
  const columns = ['p.organization_id', 'p.mode', 'p.id'];
  const { condition, inOrder } = newestRange(columns, tenantValues(tenant), { beforeId });
  return selectPayments(
    db,
    Prisma.sql`
      SELECT ${paymentColumns} FROM payment p
      WHERE ${condition} AND ${isOurFault ? failedByOurFault : failedOrRetrying}
      ORDER BY ${inOrder} LIMIT ${limit}::int`,
  );
}

export async function hastenDebits(tx: Queryable, recurrenceId: string, at: Date): Promise<void> {
  await tx.$executeRaw`
    WITH pending AS (
      UPDATE payment SET next_check_at = CASE WHEN next_check_at IS NULL THEN NULL ELSE ${at}::timestamptz END
      WHERE recurrence_id = ${recurrenceId}::uuid AND status = 'pending' RETURNING id)
    UPDATE payment_check SET next_check_at = ${at} FROM pending WHERE payment_id = pending.id`;
}

export const countFailedDebits = (
  db: Queryable,
  { recurrence: { id: recurrenceId }, cycle: debitCycle }: Cycle,
): Promise<number> => db.payment.count({ where: { recurrenceId, debitCycle, status: 'failed' } });

/** At most so many debits are read to find those of an amount. */
const mostPending = 1_000;

/** The attempts of an account's pending debits of an amount that are due between two days. */
export async function listPendingAttempts(
  db: Queryable,
  credentialId: string,
  {
    amountInCents,
    from,
    to,
    limit,
  }: { amountInCents: Cents; from: CalendarDay; to: CalendarDay; limit: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT attempt_id AS id FROM (
      SELECT attempt_id, amount_in_cents, credential_id FROM payment
      WHERE organization_id = (SELECT organization_id FROM credential WHERE id = ${credentialId}::uuid) AND mode = 'live'
        AND recurrence_id IS NOT NULL AND status = 'pending' AND due_date BETWEEN ${from}::date AND ${to}::date
      ORDER BY due_date DESC LIMIT ${mostPending}::int) debit
    WHERE credential_id = ${credentialId}::uuid AND amount_in_cents = ${amountInCents}::bigint AND attempt_id IS NOT NULL
    LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
