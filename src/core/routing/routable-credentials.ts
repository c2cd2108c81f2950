import type { Caller } from '../base/caller.ts';
import type { RoutableCredential } from './rules/routing.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import {
  findRoutableCredentials,
  findRoutingDefaults,
  type OwnedId,
  type RoutingDefaults,
  type StoredCredential,
} from './store/routing.ts';
import type { PspCatalogue } from '../providers/psp-catalogue.ts';

/** Credentials as routing sees them: as stored, with what their provider accepts. */
export interface RoutableCredentials {
  /** Nothing fails in test mode: alerts are about live calls, and the sandbox takes every payment. */
  defaultsOf(caller: Pick<Caller, 'organizationId' | 'mode'>): Promise<RoutingDefaults<RoutableCredential>>;
  find(organizationId: string, id: string): Promise<RoutableCredential | null>;
  findAll(organizationId: string, ids: readonly string[]): Promise<RoutableCredential[]>;
}

interface Dependencies {
  db: Database;
  catalogue: Pick<PspCatalogue, 'amountLimits' | 'dueSupport' | 'authorizations'>;
}

export function createRoutableCredentials({ db, catalogue }: Dependencies): RoutableCredentials {
  const findDefaults = gather(
    (organizationIds: readonly string[]) => findRoutingDefaults(db, organizationIds),
    { onlyReads: true },
  );
  const findStored = gather((sought: readonly OwnedId[]) => findRoutableCredentials(db, sought), {
    onlyReads: true,
  });
  const routable = (stored: StoredCredential): RoutableCredential => ({
    ...stored,
    amountLimits: catalogue.amountLimits(stored.provider),
    due: catalogue.dueSupport(stored.provider),
    recurrences: catalogue.authorizations(stored.provider),
  });

  async function find(organizationId: string, id: string): Promise<RoutableCredential | null> {
    const stored = await findStored({ organizationId, id });
    return stored && routable(stored);
  }

  return {
    async defaultsOf({ organizationId, mode }) {
      const { credential, routes, ruleSetIds } = await findDefaults(organizationId);
      return {
        credential: credential && routable(credential),
        ruleSetIds,
        routes: mode === 'test' ? { ...routes, failingIds: [] } : routes,
      };
    },

    find,

    async findAll(organizationId, ids) {
      const found = await Promise.all([...new Set(ids)].map((id) => find(organizationId, id)));
      return found.filter((credential) => credential !== null);
    },
  };
}
