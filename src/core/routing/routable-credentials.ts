import type { Caller } from '../base/caller.ts';
import {
  credentialIdsOf,
  credentialIdsOfRoutes,
  type RoutableCredential,
  type RoutingRules,
} from './rules/routing.ts';
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
  /** Those that the defaults and the rules name, by id. */
  named(
    organizationId: string,
    defaults: RoutingDefaults<RoutableCredential>,
    rules: readonly RoutingRules[],
  ): Promise<Map<string, RoutableCredential>>;
  /** The same, with the defaults. */
  ofRules(
    caller: Pick<Caller, 'organizationId' | 'mode'>,
    rules: readonly RoutingRules[],
  ): Promise<Omit<RoutingDefaults, 'credential'> & { credentials: Map<string, RoutableCredential> }>;
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

  const named: RoutableCredentials['named'] = async (organizationId, { credential, routes }, rules) => {
    const ids = new Set([...rules.flatMap(credentialIdsOf), ...credentialIdsOfRoutes(routes)]);
    const found = await Promise.all([...ids].map((id) => find(organizationId, id)));
    const all = [...found, credential].filter((each) => each !== null);
    return new Map(all.map((each) => [each.id, each]));
  };

  const defaultsOf: RoutableCredentials['defaultsOf'] = async ({ organizationId, mode }) => {
    const { credential, routes, ruleSetIds } = await findDefaults(organizationId);
    return {
      credential: credential && routable(credential),
      ruleSetIds,
      routes: mode === 'test' ? { ...routes, failingIds: [] } : routes,
    };
  };

  return {
    defaultsOf,
    find,
    named,

    async ofRules(caller, rules) {
      const defaults = await defaultsOf(caller);
      const { ruleSetIds, routes } = defaults;
      return { credentials: await named(caller.organizationId, defaults, rules), ruleSetIds, routes };
    },
  };
}
