import type { Queryable } from '../../../database/database.ts';

/** The sign-in library calls the account of a person at the identity provider so. */
export const providerId = 'oidc';

interface ProviderAccount {
  id: string;
  /** The subject with its issuer, because another issuer may use the same subject for somebody else. */
  accountId: string;
  userId: string;
  createdAt: Date;
}

export const findProviderAccount = (db: Queryable, accountId: string): Promise<{ userId: string } | null> =>
  db.account.findUnique({
    where: { providerId_accountId: { providerId, accountId } },
    select: { userId: true },
  });

/** The provider's tokens are not kept. */
export async function insertProviderAccount(
  tx: Queryable,
  { createdAt, ...account }: ProviderAccount,
): Promise<void> {
  const times = { createdAt, updatedAt: createdAt };
  await tx.account.create({ data: { ...account, providerId, ...times }, select: { id: true } });
}

/** Somebody who has no password. */
export async function insertProvidedPerson(
  tx: Queryable,
  { createdAt, ...user }: { id: string; name: string; email: string; createdAt: Date },
): Promise<void> {
  const times = { createdAt, updatedAt: createdAt };
  await tx.user.create({ data: { ...user, ...times, emailVerified: true }, select: { id: true } });
}
