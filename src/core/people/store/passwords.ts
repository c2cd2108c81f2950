import type { Queryable } from '../../../database/database.ts';

/** To be called when the person changed it; lifts the restrictions of an initial password. */
export async function clearMustChangePassword(db: Queryable, userId: string): Promise<void> {
  await db.user.updateMany({ where: { id: userId }, data: { mustChangePassword: false } });
}

export const findPasswordHash = async (db: Queryable, email: string): Promise<string | undefined> =>
  (
    await db.account.findFirst({
      where: { providerId: 'credential', user: { email } },
      select: { password: true },
    })
  )?.password ?? undefined;

/** Waits for a change of the password in progress. */
export async function shareAccount(
  db: Queryable,
  userId: string,
): Promise<{ passwordHash: string | null; twoFactorEnabled: boolean } | undefined> {
  const [row] = await db.$queryRaw<{ passwordHash: string | null; twoFactorEnabled: boolean }[]>`
    SELECT a.password AS "passwordHash", u.two_factor_enabled AS "twoFactorEnabled"
    FROM account a JOIN "user" u ON u.id = a.user_id
    WHERE a.user_id = ${userId}::uuid AND a.provider_id = 'credential' FOR SHARE OF a`;
  return row;
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
