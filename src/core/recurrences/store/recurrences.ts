import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { newestRange, tenantValues } from '../../../database/index-range.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { Tenant } from '../../payments/store/payments.ts';
import type { PublicRecurrenceStatus, Recurrence, RecurrenceStatus } from '../rules/recurrence.ts';

export async function insertRecurrence(
  tx: Queryable,
  { payerAccount, ...recurrence }: Recurrence & { nextCheckAt: Date },
): Promise<void> {
  const account = payerAccount ? { ...payerAccount } : Prisma.DbNull;
  await tx.recurrence.create({ data: { ...recurrence, payerAccount: account }, select: { id: true } });
}

/** Serves the service's own work, across tenants. */
export async function findRecurrenceById(db: Queryable, id: string): Promise<Recurrence | undefined> {
  const found = await db.recurrence.findUnique({ where: { id }, omit: { nextCheckAt: true } });
  return (found as Recurrence | null) ?? undefined;
}

const hidden: readonly RecurrenceStatus[] = ['creating', 'failed'];

/** One that its provider has made. */
export async function findRecurrence(
  db: Queryable,
  { organizationId, mode }: Tenant,
  id: string,
): Promise<Recurrence | undefined> {
  const found = await findRecurrenceById(db, id);
  const isOwn = found?.organizationId === organizationId && found.mode === mode;
  return isOwn && !hidden.includes(found.status) ? found : undefined;
}

/** In no particular order. */
export async function findRecurrences(db: Queryable, ids: string[]): Promise<Recurrence[]> {
  const found = await db.recurrence.findMany({ where: { id: { in: ids } }, omit: { nextCheckAt: true } });
  return found as Recurrence[];
}

/** Newest first. */
export async function listRecurrences(
  db: Queryable,
  tenant: Tenant,
  page: { status?: PublicRecurrenceStatus | undefined; beforeId?: string | undefined; limit: number },
): Promise<Recurrence[]> {
  const { status, beforeId, limit } = page;
  const { condition, inOrder } =
    status === undefined
      ? newestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), { beforeId })
      : newestRange(
          ['organization_id', 'mode', 'status', 'id'],
          [...tenantValues(tenant), Prisma.sql`${status}::"RecurrenceStatus"`],
          { beforeId },
        );
  const ids = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM recurrence WHERE ${condition} AND status NOT IN ('creating', 'failed')
    ORDER BY ${inOrder} LIMIT ${limit}::int`;
  const found = await findRecurrences(
    db,
    ids.map(({ id }) => id),
  );
  return found.toSorted((one, other) => (one.id > other.id ? -1 : 1));
}

/** Locks it until the transaction ends. */
export async function lockRecurrence(tx: Queryable, id: string): Promise<Recurrence | undefined> {
  await tx.$queryRaw`SELECT 1 FROM recurrence WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return findRecurrenceById(tx, id);
}

/** Whether no other recurrence has the provider's id. None can take it until the transaction ends. */
export async function isReferenceFree(
  tx: Queryable,
  { id, credentialId }: Pick<Recurrence, 'id' | 'credentialId'>,
  reference: string,
): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${reference}, 0))`;
  const where = { credentialId, reference, id: { not: id } };
  return (await tx.recurrence.findFirst({ where, select: { id: true } })) === null;
}

export type RecurrenceChange = Partial<
  Pick<
    Recurrence,
    | 'status'
    | 'statusReason'
    | 'endedBy'
    | 'reference'
    | 'pixCopyPaste'
    | 'activatedAt'
    | 'endRequestedAt'
    | 'endedAt'
    | 'nextDebitOn'
  >
> & { nextCheckAt?: Date | null };

export async function changeRecurrence(
  tx: Queryable,
  id: string,
  change: RecurrenceChange,
): Promise<Recurrence> {
  const changed = await tx.recurrence.update({ where: { id }, data: change, omit: { nextCheckAt: true } });
  return changed as Recurrence;
}

/** Goes on to the next cycle, or to none, unless somebody else has done so or it has ended. */
export async function advanceCycle(
  db: Queryable,
  { id, from, to }: { id: string; from: CalendarDay; to: CalendarDay | null },
): Promise<void> {
  await db.recurrence.updateMany({ where: { id, nextDebitOn: from }, data: { nextDebitOn: to } });
}

/** When it is looked at next; the end of the lease of whoever looks at it now. */
export async function findNextCheck(db: Queryable, id: string): Promise<Date | null> {
  const found = await db.recurrence.findUnique({ where: { id }, select: { nextCheckAt: true } });
  return found?.nextCheckAt ?? null;
}

/** Schedules the next look, unless somebody has asked for one during this one, which had been leased until then. */
export async function scheduleRecurrence(
  db: Queryable,
  id: string,
  { nextCheckAt, leasedUntil }: { nextCheckAt: Date | null; leasedUntil: Date | null },
): Promise<void> {
  const isUnasked = leasedUntil && { OR: [{ nextCheckAt: null }, { nextCheckAt: { gte: leasedUntil } }] };
  await db.recurrence.updateMany({ where: { id, ...isUnasked }, data: { nextCheckAt } });
}

/** Has those of these recurrences that are ours looked at now. */
export async function hastenRecurrences(
  db: Queryable,
  { credentialId, references, now }: { credentialId: string; references: readonly string[]; now: Date },
): Promise<void> {
  await db.$executeRaw`
    UPDATE recurrence SET next_check_at = ${now}
    WHERE credential_id = ${credentialId}::uuid AND reference = ANY(${references}::text[]) AND next_check_at > ${now}`;
}

/** Ends one that is still being created; false if it is not any more. */
export async function failCreation(db: Queryable, id: string): Promise<boolean> {
  const where = { id, status: 'creating' } as const;
  const { count } = await db.recurrence.updateMany({ where, data: { status: 'failed', nextCheckAt: null } });
  return count > 0;
}
