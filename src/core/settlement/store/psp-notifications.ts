import { firstIdAt } from '../../base/ids.ts';
import type { Queryable } from '../../../database/database.ts';

/** Kept exactly as the PSP sent it. */
export interface PspNotificationRow {
  id: string;
  provider: string;
  credentialId: string | null;
  body: string;
  receivedAt: Date;
  /** Positions of the charges left for this round and the next; both empty before the first. */
  remaining: number[];
  again: number[];
  /** Taken from the request that brought it. */
  traceparent: string | null;
}

export async function insertPspNotification(
  db: Queryable,
  notification: PspNotificationRow & { nextCheckAt: Date },
): Promise<void> {
  await db.pspNotification.create({ data: notification, select: { id: true } });
}

export const findPspNotification = (db: Queryable, id: string): Promise<PspNotificationRow | null> =>
  db.pspNotification.findUnique({ where: { id }, omit: { processedAt: true, nextCheckAt: true } });

/** The latest that came to a credential after an instant, newest first. */
export const findNotificationsSince = (
  db: Queryable,
  { credentialId, since, limit }: { credentialId: string; since: Date; limit: number },
): Promise<Pick<PspNotificationRow, 'provider' | 'body'>[]> =>
  db.pspNotification.findMany({
    where: { credentialId, id: { gte: firstIdAt(since) } },
    select: { provider: true, body: true },
    orderBy: { id: 'desc' },
    take: limit,
  });

/** Without `processedAt`, the notification is looked at again. */
export async function changePspNotification(
  db: Queryable,
  id: string,
  change:
    | { processedAt: Date; nextCheckAt: null; body?: string }
    | ({ nextCheckAt: Date } & Pick<PspNotificationRow, 'remaining' | 'again'>),
): Promise<void> {
  await db.pspNotification.update({ where: { id }, data: change, select: { id: true } });
}
