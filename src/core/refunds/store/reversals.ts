import { cents } from '../../base/money.ts';
import type { Reversal } from '../../payments/rules/reversal.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

const fields = {
  id: true,
  paymentId: true,
  endToEndId: true,
  pspReference: true,
  reason: true,
  amountInCents: true,
  status: true,
  reversedAt: true,
  createdAt: true,
} as const;

/** Lists the reversals of a payment, or of one of its Pix, in the order they became known. */
export async function listReversals(
  db: Queryable,
  where: { paymentId: string; endToEndId?: string },
): Promise<Reversal[]> {
  const orderBy = [{ createdAt: 'asc' }, { id: 'asc' }] as const;
  const rows = await db.reversal.findMany({ where, select: fields, orderBy: [...orderBy] });
  return rows.map((row) => ({ ...row, amountInCents: cents(row.amountInCents) }));
}

export async function insertReversal(tx: Queryable, reversal: Reversal & Tenant): Promise<void> {
  await tx.reversal.create({ data: reversal, select: { id: true } });
}

export async function changeReversal(
  tx: Queryable,
  id: string,
  change: Partial<Pick<Reversal, 'pspReference' | 'reason' | 'amountInCents' | 'status' | 'reversedAt'>>,
): Promise<void> {
  await tx.reversal.update({ where: { id }, data: change, select: { id: true } });
}
