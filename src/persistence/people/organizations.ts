import type { Queryable } from '../database.ts';

export interface Organization {
  id: string;
  name: string;
  createdAt: Date;
}

export const insertOrganization = (db: Queryable, organization: Organization): Promise<Organization> =>
  db.organization.create({ data: organization, omit: { defaultCredentialId: true } });

export const findOrganization = (db: Queryable, id: string): Promise<Organization | null> =>
  db.organization.findUnique({ where: { id }, omit: { defaultCredentialId: true } });

export const listOrganizations = (db: Queryable): Promise<Organization[]> =>
  db.organization.findMany({ orderBy: { id: 'asc' }, omit: { defaultCredentialId: true } });
