import { badRequest, notFound } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import { problem } from '../base/problems/rules.ts';
import { credentialIdsOf, type RoutingBy, type RoutingRules } from './rules/routing.ts';
import type { Queryable } from '../../database/database.ts';
import { shareCredentials } from '../providers/store/credential-use.ts';
import { insertRuleSet, lockRuleSet, replaceRuleSet, type RuleSet } from './store/rule-sets.ts';
import type { GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { parseName } from '../base/parsing/parse.ts';
import { createDefaultRuleSetChange, type DefaultRuleSet } from './default-rule-set.ts';
import { createRuleSetDeletion } from './delete-rule-set.ts';
import type { RoutableCredentials } from './routable-credentials.ts';
import { auditedFields, parseRules, toRuleSetInput } from './rule-set-input.ts';

/** Absent fields stay unchanged; rules are replaced as a whole. */
export interface RuleSetChange {
  name?: string | undefined;
  rules?: unknown;
}

interface IdentifiedChange extends RuleSetChange {
  id: string;
}

/** Changes that may need approval, because they decide where the organization's payments go. */
export interface RuleSetChanges {
  'rule_set.create': GuardedChange<{ name: string; rules: unknown }, RuleSet>;
  'rule_set.update': GuardedChange<IdentifiedChange, RuleSet>;
  'rule_set.delete': GuardedChange<{ id: string }, void>;
  'rule_set.set_default': GuardedChange<DefaultRuleSet, void>;
}

interface Dependencies {
  audit: { record: RecordAudit };
  credentials: Pick<RoutableCredentials, 'ofRules'>;
  now: () => Date;
}

/** Where rules name a credential first, in their input. */
function pathOf(
  { when, ranges, split, defaultCredentialId, fallbackCredentialIds }: RoutingRules,
  id: string,
) {
  for (const [name, entries] of Object.entries({ when, ranges, split })) {
    const index = entries.findIndex(({ credentialId }) => credentialId === id);
    if (index >= 0) return `${name}.${index}.credentialId`;
  }
  if (defaultCredentialId === id) return 'defaultCredentialId';
  return `fallbackCredentialIds.${fallbackCredentialIds.indexOf(id)}`;
}

/** Rules as they were given, and what decides with them. Refuses those that name a credential of others. */
export async function routingOf(
  credentials: Pick<RoutableCredentials, 'ofRules'>,
  caller: Caller,
  input: unknown,
): Promise<RoutingBy> {
  const rules = parseRules(input);
  const { credentials: known, routes } = await credentials.ofRules(caller, [rules]);
  const unknownId = credentialIdsOf(rules).find((id) => !known.has(id));
  if (unknownId) {
    throw badRequest(
      `${pathOf(rules, unknownId)} names credential ${unknownId}, which does not exist in this organization`,
      problem(pathOf(rules, unknownId), 'unknown_credential', { id: unknownId }),
    );
  }
  return { mode: caller.mode, rules, routes, credentials: known };
}

/** Locks the credentials, so that nobody archives one before the transaction ends. */
async function assertNoneArchived(tx: Queryable, organizationId: string, rules: RoutingRules) {
  const ids = credentialIdsOf(rules);
  const kept = await shareCredentials(tx, organizationId, ids);
  const archived = ids.find((id) => !kept.has(id));
  if (archived) {
    throw badRequest(
      `${pathOf(rules, archived)} names credential ${archived}, which is archived: restore it or choose another`,
      problem(pathOf(rules, archived), 'archived_credential', { id: archived }),
    );
  }
}

export function createRuleSetChanges({ audit, credentials, now }: Dependencies): RuleSetChanges {
  const rulesFrom = async (caller: Caller, input: unknown): Promise<RoutingRules> =>
    (await routingOf(credentials, caller, input)).rules;

  const create: GuardedChange<{ name: string; rules: unknown }, RuleSet> = {
    action: 'rule_set.create',

    async describe(_tx, caller, { name, rules }) {
      const after = { name: parseName(name), ...toRuleSetInput(await rulesFrom(caller, rules)) };
      return { subject: null, before: null, after };
    },

    async apply(tx, caller, { name, rules }) {
      const { organizationId } = caller;
      const createdAt = now();
      const ruleSet = {
        id: newId(createdAt),
        organizationId,
        name: parseName(name),
        createdAt,
        ...(await rulesFrom(caller, rules)),
      };
      await assertNoneArchived(tx, organizationId, ruleSet);
      await insertRuleSet(tx, ruleSet);
      await audit.record(tx, caller, create.action, ruleSet.id, { name: ruleSet.name });
      return ruleSet;
    },
  };

  /** Locks the rule set, and returns it before and after the change without storing anything. */
  async function lockAndChange(tx: Queryable, caller: Caller, { id, name, rules }: IdentifiedChange) {
    const before = isUuid(id) ? await lockRuleSet(tx, caller.organizationId, id) : null;
    if (!before) throw notFound('RuleSet', id);
    const after: RuleSet = {
      ...before,
      ...(name !== undefined && { name: parseName(name) }),
      ...(rules !== undefined && (await rulesFrom(caller, rules))),
    };
    return { before, after };
  }

  const update: GuardedChange<IdentifiedChange, RuleSet> = {
    action: 'rule_set.update',

    async describe(tx, caller, change) {
      const { before, after } = await lockAndChange(tx, caller, change);
      return { subject: before.id, before: auditedFields(before), after: auditedFields(after) };
    },

    async apply(tx, caller, change) {
      const { before, after } = await lockAndChange(tx, caller, change);
      await assertNoneArchived(tx, before.organizationId, after);
      await replaceRuleSet(tx, after);
      const { id, name } = before;
      const details = { name, from: auditedFields(before), to: auditedFields(after) };
      await audit.record(tx, caller, update.action, id, details);
      return after;
    },
  };

  return {
    'rule_set.create': create,
    'rule_set.update': update,
    'rule_set.delete': createRuleSetDeletion({ audit, now }),
    'rule_set.set_default': createDefaultRuleSetChange({ audit }),
  };
}
