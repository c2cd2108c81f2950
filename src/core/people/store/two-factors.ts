import type { Queryable } from '../../../database/database.ts';

export const findTwoFactor = (
  db: Queryable,
  userId: string,
): Promise<{ secret: string; lockedUntil: Date | null } | null> =>
  db.twoFactor.findFirst({ where: { userId }, select: { secret: true, lockedUntil: true } });

/**
 * Marks a time step and all earlier ones as used; false when it already was. Takes a single statement, so that one of several
 * concurrent attempts wins.
 */
export async function useTotpStep(db: Queryable, userId: string, step: number): Promise<boolean> {
  const { count } = await db.twoFactor.updateMany({
    where: { userId, OR: [{ lastUsedStep: null }, { lastUsedStep: { lt: step } }] },
    data: { lastUsedStep: step },
  });
  return count > 0;
}

/** Also ends everything started with it: sessions, sign-ins, trusted devices. */
export async function removeTwoFactor(tx: Queryable, userId: string, updatedAt: Date): Promise<void> {
  await tx.twoFactor.deleteMany({ where: { userId } });
  await tx.user.updateMany({ where: { id: userId }, data: { twoFactorEnabled: false, updatedAt } });
  await tx.session.deleteMany({ where: { userId } });
  await tx.verification.deleteMany({ where: { value: userId } });
}
