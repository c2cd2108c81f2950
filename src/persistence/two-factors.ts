import type { Queryable } from './database.ts';

export interface TwoFactorRow {
  id: string;
  secret: string;
  backupCodes: string;
}

/** The next ones of all people after an id. */
export const pageOfTwoFactors = (db: Queryable, afterId: string, limit: number): Promise<TwoFactorRow[]> =>
  db.twoFactor.findMany({
    where: { id: { gt: afterId } },
    select: { id: true, secret: true, backupCodes: true },
    orderBy: { id: 'asc' },
    take: limit,
  });

/** Changes nothing when a code was used or made anew meanwhile. */
export async function replaceTwoFactor(
  db: Queryable,
  { id, ...from }: TwoFactorRow,
  to: Pick<TwoFactorRow, 'secret' | 'backupCodes'>,
): Promise<void> {
  await db.twoFactor.updateMany({ where: { id, ...from }, data: to });
}
