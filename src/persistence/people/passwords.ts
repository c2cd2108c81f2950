import type { Queryable } from '../database.ts';

/** Called when the person changed it, which lifts the restriction of an initial password. */
export async function clearMustChangePassword(db: Queryable, userId: string): Promise<void> {
  await db.user.updateMany({ where: { id: userId }, data: { mustChangePassword: false } });
}

/**
 * Sets an initial password and ends everything started with the old one: sessions, sign-ins, trusted devices.
 */
export async function replacePassword(
  tx: Queryable,
  userId: string,
  passwordHash: string,
  updatedAt: Date,
): Promise<void> {
  await tx.account.updateMany({
    where: { userId, providerId: 'credential' },
    data: { password: passwordHash, updatedAt },
  });
  await tx.user.updateMany({ where: { id: userId }, data: { mustChangePassword: true, updatedAt } });
  await tx.session.deleteMany({ where: { userId } });
  await tx.verification.deleteMany({ where: { value: userId } });
}

/** Sets a password chosen by the person. */
export async function setPassword(
  tx: Queryable,
  userId: string,
  passwordHash: string,
  updatedAt: Date,
): Promise<void> {
  await replacePassword(tx, userId, passwordHash, updatedAt);
  await clearMustChangePassword(tx, userId);
}
