import type { Payment } from '../rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { oldestRange, tenantValues } from '../../../database/index-range.ts';
import { isCreated, type Tenant } from './payments.ts';

/** The tenant's last sequence number before the events with id `fromId` or greater; 0 when there is none. */
export async function findSequenceBefore(
  db: Queryable,
  { organizationId, mode }: Tenant,
  fromId: string,
): Promise<bigint> {
  const tenant = tenantValues({ organizationId, mode });
  const { condition, inOrder } = oldestRange(['organization_id', 'mode', 'id'], tenant, { fromId });
  const [next] = await db.$queryRaw<{ sequence: bigint }[]>`
    SELECT sequence FROM event WHERE ${condition} ORDER BY ${inOrder} LIMIT 1`;
  if (next) return next.sequence - 1n;
  const counter = await db.eventCounter.findUnique({
    where: { organizationId_mode: { organizationId, mode } },
    select: { lastSequence: true },
  });
  return counter?.lastSequence ?? 0n;
}

/** Payments of the events after `afterSequence`, in order. */
export const listChangesAfter = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  afterSequence: bigint,
  limit: number,
): Promise<{ sequence: bigint; paymentId: string }[]> =>
  db.event.findMany({
    where: { organizationId, mode, sequence: { gt: afterSequence } },
    select: { sequence: true, paymentId: true },
    orderBy: { sequence: 'asc' },
    take: limit,
  });

export type PaymentMoment = Pick<
  Payment,
  'id' | 'mode' | 'status' | 'expiresAt' | 'confirmedAt' | 'disputed' | 'overdue' | 'revision' | 'debit'
> &
  Record<'refundedInCents' | 'reversedInCents', bigint>;

const momentColumns =
  Prisma.raw(`id, mode::text, status::text, expires_at AS "expiresAt", confirmed_at AS "confirmedAt",
  refunded_in_cents AS "refundedInCents", reversed_in_cents AS "reversedInCents", disputed, overdue, revision, debit`);

/**
 * The fields that show whether a payment has changed, for the oldest `limit` payments with an id greater than
 * `afterId`.
 */
export const listMomentsAfter = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  afterId: string,
  limit: number,
): Promise<PaymentMoment[]> => {
  const tenant = tenantValues({ organizationId, mode });
  const range = oldestRange(['organization_id', 'mode', 'id'], tenant, { fromId: afterId });
  return db.$queryRaw<PaymentMoment[]>`
    SELECT ${momentColumns} FROM payment p
    WHERE ${range.condition} AND id <> ${afterId}::uuid AND ${isCreated} ORDER BY ${range.inOrder} LIMIT ${limit}`;
};

/** The same fields for the payments with these ids, across tenants and in no particular order. */
export const findMoments = (db: Queryable, ids: readonly string[]): Promise<PaymentMoment[]> =>
  db.$queryRaw`SELECT ${momentColumns} FROM payment p WHERE id = ANY(${ids}::uuid[]) AND ${isCreated}`;
