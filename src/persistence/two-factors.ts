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
