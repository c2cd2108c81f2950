import type { Queryable } from '../../../database/database.ts';

export interface CheckoutKeyRow {
  id: string;
  sealedKey: string;
  createdAt: Date;
}

/** Oldest first. */
export const listCheckoutKeys = (db: Queryable): Promise<CheckoutKeyRow[]> =>
  db.checkoutKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

/** Keeps an existing one. */
export async function insertCheckoutKey(db: Queryable, key: CheckoutKeyRow): Promise<void> {
  await db.checkoutKey.createMany({ data: key, skipDuplicates: true });
}

export async function deleteCheckoutKey(db: Queryable, id: string): Promise<void> {
  await db.checkoutKey.deleteMany({ where: { id } });
}
