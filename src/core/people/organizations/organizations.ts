import { notFound } from '../../base/errors.ts';
import { isUuid, newId } from '../../base/ids.ts';
import type { Database } from '../../../database/database.ts';
import {
  findOrganization,
  insertOrganization,
  listOrganizations,
  type Organization,
  renameOrganization,
} from '../store/organizations.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller } from '../../base/caller.ts';
import { parseName } from '../../base/parsing/parse.ts';

/** Only the operator creates organizations, on the command line. */
export interface OrganizationService {
  create(name: string): Promise<Organization>;
  get(id: string): Promise<Organization>;
  list(): Promise<Organization[]>;
  /** For owners; returns the name as stored. */
  rename(caller: Caller, name: string): Promise<string>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

export function createOrganizationService({ db, audit, now }: Dependencies): OrganizationService {
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

    async rename(caller, name) {
      assertMay(caller, 'settings:manage');
      const { organizationId } = caller;
      const to = parseName(name);
      await db.$transaction(async (tx) => {
        const from = await renameOrganization(tx, organizationId, to);
        if (from === undefined) throw notFound('Organization', organizationId);
        if (from !== to) await audit.record(tx, caller, 'organization.rename', organizationId, { from, to });
      });
      return to;
    },
  };
}
