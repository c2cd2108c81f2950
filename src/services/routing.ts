import { badRequest } from '../domain/errors.ts';
import { isUuid } from '../domain/ids.ts';
import {
  type Candidate,
  type RoutableCredential,
  routeCandidates,
  type RoutingChoice,
  type RoutingReason,
} from '../domain/routing.ts';
import type { Cents } from '../domain/money.ts';
import type { Database } from '../persistence/database.ts';
import { gather } from '../persistence/gather.ts';
import { findCredential, findCredentials, findDefaultCredentials } from '../persistence/routing.ts';
import { findRuleSet } from '../persistence/rule-sets.ts';
import type { Caller } from './caller.ts';

/** A place in the routing order: a credential, or the sandbox itself when the organization has none. */
export interface RoutedCandidate {
  provider: string;
  credentialId: string | null;
  reason: RoutingReason;
  enabled: boolean;
}

export interface RoutingRequest {
  credentialId?: string | undefined;
  ruleSetId?: string | undefined;
  amountInCents: Cents;
}

export interface RoutingService {
  /** In order, disabled ones included, at least one enabled; else fails with a 400 that says what is missing. */
  route(caller: Caller, request: RoutingRequest): Promise<RoutedCandidate[]>;
}

const routed = ({ credential, reason }: Candidate): RoutedCandidate => ({
  provider: credential.provider,
  credentialId: credential.id,
  reason,
  enabled: credential.enabled,
});

export function createRoutingService({ db }: { db: Database }): RoutingService {
  const findDefault = gather((organizationIds: readonly string[]) =>
    findDefaultCredentials(db, organizationIds),
  );

  async function requestedCredential(caller: Caller, id: string): Promise<RoutingChoice> {
    const credential = isUuid(id) ? await findCredential(db, caller.organizationId, id) : null;
    if (!credential?.enabled) {
      throw badRequest('credentialId must name an enabled credential of your organization');
    }
    return { by: 'credential', credential };
  }

  async function candidatesOf(caller: Caller, request: RoutingRequest): Promise<Candidate[]> {
    const { credentialId, ruleSetId, amountInCents } = request;
    if (credentialId !== undefined) {
      return routeCandidates(await requestedCredential(caller, credentialId), amountInCents, null, new Map());
    }
    const organizationDefault = await findDefault(caller.organizationId);
    const known = new Map<string, RoutableCredential>();
    if (organizationDefault) known.set(organizationDefault.id, organizationDefault);
    if (ruleSetId === undefined) {
      return routeCandidates({ by: 'default' }, amountInCents, organizationDefault?.id ?? null, known);
    }
    const rules = await findRuleSet(db, caller.organizationId, ruleSetId);
    if (!rules) throw badRequest('ruleSetId must name a rule set of your organization');
    const ids = [
      ...rules.ranges.map((range) => range.credentialId),
      ...(rules.defaultCredentialId ? [rules.defaultCredentialId] : []),
      ...rules.fallbackCredentialIds,
    ];
    for (const credential of await findCredentials(db, caller.organizationId, ids)) {
      known.set(credential.id, credential);
    }
    return routeCandidates({ by: 'rule_set', rules }, amountInCents, organizationDefault?.id ?? null, known);
  }

  return {
    async route(caller, request) {
      const candidates = (await candidatesOf(caller, request)).map(routed);
      if (candidates.some(({ enabled }) => enabled)) return candidates;
      if (caller.mode === 'test' && candidates.length === 0) {
        return [{ provider: 'sandbox', credentialId: null, reason: 'no_credential', enabled: true }];
      }
      throw badRequest('no enabled credential can take this payment: add one, or name it in credentialId');
    },
  };
}
