import type { Queryable } from '../../../database/database.ts';

export interface Organization {
  id: string;
  name: string;
  createdAt: Date;
}

const omit = {
  defaultCredentialId: true,
  defaultTestRuleSetId: true,
  defaultLiveRuleSetId: true,
} as const;

export const insertOrganization = (db: Queryable, organization: Organization): Promise<Organization> =>
  db.organization.create({ data: organization, omit });

export const findOrganization = (db: Queryable, id: string): Promise<Organization | null> =>
  db.organization.findUnique({ where: { id }, omit });

/** Returns the previous name. Makes others who rename it wait until this transaction ends. */
export async function renameOrganization(
  tx: Queryable,
  id: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM organization WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (row) await tx.organization.update({ where: { id }, data: { name }, select: { id: true } });
  return row?.name;
}

export const listOrganizations = (db: Queryable): Promise<Organization[]> =>
  db.organization.findMany({ orderBy: { id: 'asc' }, omit });
