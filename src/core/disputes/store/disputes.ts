import { cents } from '../../base/money.ts';
import type { Dispute } from '../rules/dispute.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

const fields = {
  id: true,
  paymentId: true,
  pspReference: true,
  state: true,
  amountInCents: true,
  reason: true,
  defenceUntil: true,
  openedAt: true,
  closedAt: true,
  createdAt: true,
} as const;

/** Lists them in the order in which they became known. */
export async function listDisputes(db: Queryable, paymentId: string): Promise<Dispute[]> {
  const rows = await db.dispute.findMany({
    where: { paymentId },
    select: fields,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({ ...row, amountInCents: cents(row.amountInCents) }));
}

export async function insertDispute(tx: Queryable, dispute: Dispute & Tenant): Promise<void> {
  await tx.dispute.create({ data: dispute, select: { id: true } });
}

export async function changeDispute(
  tx: Queryable,
  id: string,
  change: Partial<
    Pick<Dispute, 'state' | 'amountInCents' | 'reason' | 'defenceUntil' | 'openedAt' | 'closedAt'>
  >,
): Promise<void> {
  await tx.dispute.update({ where: { id }, data: change, select: { id: true } });
}
