import { type Cents, cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';

/** Names the sum of a day that counts against one limit. */
export interface RefundDay {
  organizationId: string;
  /** A key or a person. */
  holderId: string;
  /** `YYYY-MM-DD`. */
  day: string;
}

/**
 * Adds to the amount refunded that day unless that would exceed `limitInCents`; returns whether it was added. Others that count
 * against the same limit wait for this transaction.
 */
export async function addToRefundDay(
  tx: Queryable,
  { organizationId, holderId, day }: RefundDay,
  amountInCents: Cents,
  limitInCents: Cents | null,
): Promise<boolean> {
  const added = await tx.$executeRaw`
    INSERT INTO refund_day AS d (organization_id, holder_id, day, amount_in_cents)
    SELECT ${organizationId}::uuid, ${holderId}::uuid, ${day}::date, ${amountInCents}::bigint
    WHERE ${limitInCents}::bigint IS NULL OR ${amountInCents}::bigint <= ${limitInCents}::bigint
    ON CONFLICT (organization_id, holder_id, day) DO UPDATE
    SET amount_in_cents = d.amount_in_cents + excluded.amount_in_cents
    WHERE ${limitInCents}::bigint IS NULL
      OR d.amount_in_cents + excluded.amount_in_cents <= ${limitInCents}::bigint`;
  return added === 1;
}

export async function findRefundDayAmount(
  tx: Queryable,
  { organizationId, holderId, day }: RefundDay,
): Promise<Cents> {
  const [row] = await tx.$queryRaw<{ amountInCents: bigint }[]>`
    SELECT amount_in_cents AS "amountInCents" FROM refund_day
    WHERE organization_id = ${organizationId}::uuid AND holder_id = ${holderId}::uuid AND day = ${day}::date`;
  return cents(row?.amountInCents ?? 0n);
}

export async function takeFromRefundDay(
  tx: Queryable,
  { organizationId, holderId, day }: RefundDay,
  amountInCents: Cents,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE refund_day SET amount_in_cents = amount_in_cents - ${amountInCents}::bigint
    WHERE organization_id = ${organizationId}::uuid AND holder_id = ${holderId}::uuid AND day = ${day}::date`;
}
