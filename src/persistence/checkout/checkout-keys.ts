import type { Queryable } from '../database.ts';

/** There is one key. */
export const checkoutKeyId = '00000000-0000-7000-8000-000000000001';

export const findCheckoutKey = async (db: Queryable): Promise<string | undefined> =>
  (await db.checkoutKey.findUnique({ where: { id: checkoutKeyId }, select: { sealedKey: true } }))?.sealedKey;

/** Keeps an existing one. */
export async function insertCheckoutKey(db: Queryable, sealedKey: string, createdAt: Date): Promise<void> {
  await db.checkoutKey.createMany({
    data: { id: checkoutKeyId, sealedKey, createdAt },
    skipDuplicates: true,
  });
}
