import type { Queryable } from '../../../database/database.ts';

export interface NewPasswordLink {
  id: string;
  userId: string;
  tokenSha256: string;
  createdAt: Date;
  expiresAt: Date;
}

export async function deletePasswordLinks(db: Queryable, userId: string): Promise<void> {
  await db.passwordLink.deleteMany({ where: { userId } });
}

/** Replaces the person's earlier links. */
export async function replacePasswordLinks(tx: Queryable, row: NewPasswordLink): Promise<void> {
  await deletePasswordLinks(tx, row.userId);
  await tx.passwordLink.create({ data: row, select: { id: true } });
}

export async function findPasswordLink(
  db: Queryable,
  tokenSha256: string,
  now: Date,
): Promise<{ userId: string; email: string } | undefined> {
  const row = await db.passwordLink.findUnique({
    where: { tokenSha256, expiresAt: { gt: now } },
    select: { userId: true, user: { select: { email: true } } },
  });
  return row ? { userId: row.userId, email: row.user.email } : undefined;
}

export const findLatestPasswordLink = (
  tx: Queryable,
  userId: string,
): Promise<Pick<NewPasswordLink, 'createdAt' | 'expiresAt'> | null> =>
  tx.passwordLink.findFirst({
    where: { userId },
    select: { createdAt: true, expiresAt: true },
    orderBy: { createdAt: 'desc' },
  });

/** False when it was already used: of concurrent attempts, one wins. */
export async function usePasswordLink(tx: Queryable, tokenSha256: string, now: Date): Promise<boolean> {
  const { count } = await tx.passwordLink.deleteMany({ where: { tokenSha256, expiresAt: { gt: now } } });
  return count === 1;
}
