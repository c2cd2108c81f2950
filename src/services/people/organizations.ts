import { notFound } from '../../domain/errors.ts';
import { isUuid, newId } from '../../domain/ids.ts';
import type { Database } from '../../persistence/database.ts';
import {
  findOrganization,
  insertOrganization,
  listOrganizations,
  type Organization,
} from '../../persistence/people/organizations.ts';
import { parseName } from '../parse.ts';

/** For the operator: organizations are created on the command line only. */
export interface OrganizationService {
  create(name: string): Promise<Organization>;
  get(id: string): Promise<Organization>;
  list(): Promise<Organization[]>;
}

export function createOrganizationService({
  db,
  now,
}: {
  db: Database;
  now: () => Date;
}): OrganizationService {
  return {
    async create(name) {
      const createdAt = now();
      return insertOrganization(db, { id: newId(createdAt), name: parseName(name), createdAt });
    },

    async get(id) {
      const organization = isUuid(id) ? await findOrganization(db, id) : null;
      if (!organization) throw notFound('Organization', id);
      return organization;
    },

    list: () => listOrganizations(db),
  };
}
