import type { Queryable } from '../database.ts';

/** By the person, who may work from now on. */
export async function passwordChanged(db: Queryable, userId: string): Promise<void> {
  await db.user.updateMany({ where: { id: userId }, data: { mustChangePassword: false } });
}

/** A first password in place of theirs; what they had begun with theirs is over: sessions, sign-ins, trusted devices. */
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

/** One that the person has chosen. */
export async function setPassword(
  tx: Queryable,
  userId: string,
  passwordHash: string,
  updatedAt: Date,
): Promise<void> {
  await replacePassword(tx, userId, passwordHash, updatedAt);
  await passwordChanged(tx, userId);
}
