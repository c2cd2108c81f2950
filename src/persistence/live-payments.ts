import type { Payment } from '../domain/payment.ts';
import type { Queryable } from './database.ts';
import type { Tenant } from './payments.ts';

/** The number of the tenant's last event before those whose id is `fromId` or greater; 0 when there is none. */
export async function findSequenceBefore(
  db: Queryable,
  { organizationId, mode }: Tenant,
  fromId: string,
): Promise<bigint> {
  const next = await db.event.findFirst({
    where: { organizationId, mode, id: { gte: fromId } },
    select: { sequence: true },
    orderBy: { id: 'asc' },
  });
  if (next) return next.sequence - 1n;
  const counter = await db.eventCounter.findUnique({
    where: { organizationId_mode: { organizationId, mode } },
    select: { lastSequence: true },
  });
  return counter?.lastSequence ?? 0n;
}

/** Which payments the events after `afterSequence` are about, in their order. */
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

export type PaymentMoment = Pick<Payment, 'id' | 'status' | 'expiresAt' | 'confirmedAt'>;

/** What tells whether a payment has changed, of those whose id is `fromId` or greater, the newest `limit` of them. */
export async function listMomentsFrom(
  db: Queryable,
  { organizationId, mode }: Tenant,
  fromId: string,
  limit: number,
): Promise<PaymentMoment[]> {
  const payments = await db.payment.findMany({
    where: { organizationId, mode, id: { gte: fromId } },
    select: { id: true, status: true, expiresAt: true, confirmedAt: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return payments.reverse();
}
