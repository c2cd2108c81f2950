import type { Queryable } from '../../../database/database.ts';

export interface SavedView {
  name: string;
  query: string;
}

export interface MemberKey {
  organizationId: string;
  userId: string;
}

/** Sorted by name. */
export const listSavedViews = (db: Queryable, { organizationId, userId }: MemberKey): Promise<SavedView[]> =>
  db.savedView.findMany({
    where: { organizationId, userId },
    select: { name: true, query: true },
    orderBy: { name: 'asc' },
  });

/** Keeps the person's views from changing until the transaction ends. */
export async function lockMember(tx: Queryable, { organizationId, userId }: MemberKey): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM member WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid FOR NO KEY UPDATE`;
}

/** Replaces the view of that name. */
export async function saveView(tx: Queryable, key: MemberKey, { name, query }: SavedView): Promise<void> {
  const { organizationId, userId } = key;
  await tx.savedView.upsert({
    where: { organizationId_userId_name: { organizationId, userId, name } },
    create: { organizationId, userId, name, query },
    update: { query },
    select: { name: true },
  });
}

/** Returns whether there was one. */
export async function deleteView(
  db: Queryable,
  { organizationId, userId }: MemberKey,
  name: string,
): Promise<boolean> {
  const { count } = await db.savedView.deleteMany({ where: { organizationId, userId, name } });
  return count > 0;
}

/** Lists the views of everybody in the organization. Each member has a bounded number. */
export const listViewsOfOrganization = (
  tx: Queryable,
  organizationId: string,
): Promise<(SavedView & { userId: string })[]> =>
  tx.savedView.findMany({ where: { organizationId }, select: { userId: true, name: true, query: true } });
