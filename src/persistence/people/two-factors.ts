import type { Queryable } from '../database.ts';

export const findTwoFactorSecret = async (db: Queryable, userId: string): Promise<string | undefined> =>
  (await db.twoFactor.findFirst({ where: { userId }, select: { secret: true } }))?.secret;

/** Uses a time step up, with all before it; false when it was. One statement, so that of many at once one wins. */
export async function useStep(db: Queryable, userId: string, step: number): Promise<boolean> {
  const { count } = await db.twoFactor.updateMany({
    where: { userId, OR: [{ lastUsedStep: null }, { lastUsedStep: { lt: step } }] },
    data: { lastUsedStep: step },
  });
  return count > 0;
}

/** With all that was begun with it: sessions, sign-ins, trusted devices. */
export async function removeTwoFactor(tx: Queryable, userId: string, updatedAt: Date): Promise<void> {
  await tx.twoFactor.deleteMany({ where: { userId } });
  await tx.user.updateMany({ where: { id: userId }, data: { twoFactorEnabled: false, updatedAt } });
  await tx.session.deleteMany({ where: { userId } });
  await tx.verification.deleteMany({ where: { value: userId } });
}
