import { setImmediate } from 'node:timers/promises';
import { badRequest, notFound } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import { problem } from '../base/problems/rules.ts';
import { type ExplainedCandidate, explainRules } from './rules/explain-rules.ts';
import { lintRuleSet } from './rules/rule-set-lint.ts';
import { type RuleSetWarning, warningOf } from './rules/rule-set-warning.ts';
import {
  credentialIdsOf,
  credentialIdsOfRoutes,
  type Preference,
  type RoutableCredential,
  type RoutingBy,
  type RoutingRules,
} from './rules/routing.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { shareCredentials } from '../providers/store/credential-use.ts';
import {
  findAnyRuleSet,
  findRuleSet,
  insertRuleSet,
  listRuleSets,
  lockRuleSet,
  replaceRuleSet,
  type RuleSet,
} from './store/rule-sets.ts';
import { findRuleSetUse, type RuleSetUse } from './store/rule-set-use.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../base/caller.ts';
import { parseName } from '../base/parsing/parse.ts';
import { createDefaultRuleSetChange, type DefaultRuleSet } from './default-rule-set.ts';
import type { RoutableCredentials } from './routable-credentials.ts';
import { createRuleSetDeletion } from './delete-rule-set.ts';
import { auditedFields, parseAmount, parseRules, toRuleSetInput } from './rule-set-input.ts';

export interface RuleSetView extends Pick<RoutingRules, 'when' | 'split'> {
  id: string;
  name: string;
  ranges: { from: number; to: number; credentialId: string }[];
  defaultCredentialId: string | null;
  fallbackCredentialIds: readonly string[];
  prefer: Preference | null;
  /** Whether payments in the caller's mode follow it if they name neither credential nor rule set. */
  isDefault: boolean;
  warnings: RuleSetWarning[];
}

interface RuleSetExplanation {
  amount: number;
  candidates: ExplainedCandidate[];
}

/** Absent fields stay unchanged; rules are replaced as a whole. */
interface RuleSetChange {
  name?: string | undefined;
  rules?: unknown;
}

/** Warnings and explanations are for payments in the caller's mode. */
export interface RuleSetService {
  guarded: {
    'rule_set.create': GuardedChange<{ name: string; rules: unknown }, RuleSet>;
    'rule_set.update': GuardedChange<IdentifiedChange, RuleSet>;
    'rule_set.delete': GuardedChange<{ id: string }, void>;
    'rule_set.set_default': GuardedChange<DefaultRuleSet, void>;
  };
  /** `rules` is unparsed: all its violations are reported at once. */
  create(caller: Caller, name: string, rules: unknown): Promise<RuleSetView>;
  /** Applies to payments created from then on. Of concurrent changes the last one wins. */
  update(caller: Caller, id: string, change: RuleSetChange): Promise<RuleSetView>;
  /**
   * From now on, payments in the caller's mode that name neither credential nor rule set follow this one. With null, they
   * go to the default credential.
   */
  setDefault(caller: Caller, id: string | null): Promise<void>;
  /** What keeps it from being deleted. */
  findUse(caller: Caller, id: string): Promise<RuleSetUse>;
  /** Deletes it for good. Fails with `rule_set_in_use` while it is a default or active payment links name it. */
  delete(caller: Caller, id: string): Promise<void>;
  list(caller: Caller): Promise<RuleSetView[]>;
  /** Explains a payment made at a moment, now if absent. The shares of a split are all listed, in their order. */
  explain(caller: Caller, id: string, amount: number, at?: Date): Promise<RuleSetExplanation>;
  /** Returns the rules in their input format. */
  rulesOf(caller: Caller, id: string): Promise<ReturnType<typeof toRuleSetInput>>;
  /** Rules that need not be stored, and what decides with them. Diversions, which pass, are left out. */
  routingBy(caller: Caller, rules: unknown): Promise<RoutingBy>;
  /** An operator who acts for the organization of the rule set. The command line only has the rule set's id. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface IdentifiedChange extends RuleSetChange {
  id: string;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  credentials: RoutableCredentials;
  now: () => Date;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

export function createRuleSetService(dependencies: Dependencies): RuleSetService {
  const { db, audit, gate, credentials: routable, now, testClocks } = dependencies;
  const setDefault = createDefaultRuleSetChange({ audit });
  const deletion = createRuleSetDeletion({ audit, now });

  /** The credentials of all the rules, in one query. */
  async function loadCredentials(caller: Caller, rules: readonly RoutingRules[]) {
    const { organizationId } = caller;
    const { credential: organizationDefault, ruleSetIds, routes } = await routable.defaultsOf(caller);
    const ids = [...rules.flatMap(credentialIdsOf), ...credentialIdsOfRoutes(routes)];
    const found = await routable.findAll(organizationId, ids);
    const credentials = new Map<string, RoutableCredential>(found.map((each) => [each.id, each]));
    if (organizationDefault) credentials.set(organizationDefault.id, organizationDefault);
    return { credentials, routes, ruleSetIds };
  }

  async function viewsOf(caller: Caller, ruleSets: readonly RuleSet[]): Promise<RuleSetView[]> {
    const { credentials, routes, ruleSetIds } = await loadCredentials(caller, ruleSets);
    const views: RuleSetView[] = [];
    for (const ruleSet of ruleSets) {
      // Yields, so that an organization with many rule sets does not delay others.
      if (views.length > 0 && views.length % 10 === 0) await setImmediate();
      views.push({
        id: ruleSet.id,
        name: ruleSet.name,
        ...toRuleSetInput(ruleSet),
        isDefault: ruleSet.id === ruleSetIds[caller.mode],
        warnings: lintRuleSet(caller.mode, ruleSet, routes, credentials).map(warningOf),
      });
    }
    return views;
  }

  async function viewOf(caller: Caller, ruleSet: RuleSet): Promise<RuleSetView> {
    const [view] = await viewsOf(caller, [ruleSet]);
    if (!view) throw notFound('RuleSet', ruleSet.id);
    return view;
  }

  async function ownRouting(caller: Caller, input: unknown): Promise<RoutingBy> {
    const rules = parseRules(input);
    const { credentials, routes } = await loadCredentials(caller, [rules]);
    const unknownId = credentialIdsOf(rules).find((id) => !credentials.has(id));
    if (unknownId) {
      throw badRequest(
        `credential ${unknownId} does not exist in this organization`,
        problem('rules', 'unknown_credential', { id: unknownId }),
      );
    }
    return { mode: caller.mode, rules, routes, credentials };
  }

  const ownRules = async (caller: Caller, input: unknown): Promise<RoutingRules> =>
    (await ownRouting(caller, input)).rules;

  /** Locks the credentials, so that nobody archives one before the transaction ends. */
  async function assertNoneArchived(tx: Queryable, organizationId: string, rules: RoutingRules) {
    const ids = credentialIdsOf(rules);
    const kept = await shareCredentials(tx, organizationId, ids);
    const archived = ids.find((id) => !kept.has(id));
    if (archived) {
      throw badRequest(
        `credential ${archived} is archived: restore it or choose another`,
        problem('rules', 'archived_credential', { id: archived }),
      );
    }
  }

  async function findOwn({ organizationId }: Caller, id: string): Promise<RuleSet> {
    const ruleSet = isUuid(id) ? await findRuleSet(db, organizationId, id) : null;
    if (!ruleSet) throw notFound('RuleSet', id);
    return ruleSet;
  }

  const create: GuardedChange<{ name: string; rules: unknown }, RuleSet> = {
    action: 'rule_set.create',

    async describe(_tx, caller, { name, rules }) {
      const after = { name: parseName(name), ...toRuleSetInput(await ownRules(caller, rules)) };
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
        ...(await ownRules(caller, rules)),
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
      ...(rules !== undefined && (await ownRules(caller, rules))),
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
    guarded: {
      'rule_set.create': create,
      'rule_set.update': update,
      'rule_set.delete': deletion,
      'rule_set.set_default': setDefault,
    },

    async create(caller, name, rules) {
      assertMay(caller, 'rule-sets:manage');
      return viewOf(caller, await gate.pass(caller, create, { name, rules }));
    },

    async update(caller, id, { name, rules }) {
      assertMay(caller, 'rule-sets:manage');
      if (name === undefined && rules === undefined)
        throw badRequest('give a name, rules or both', problem('name', 'nothing_to_change'));
      return viewOf(caller, await gate.pass(caller, update, { id, name, rules }));
    },

    async setDefault(caller, id) {
      assertMay(caller, 'rule-sets:manage');
      await gate.pass(caller, setDefault, { id, mode: caller.mode });
    },

    async findUse(caller, id) {
      assertMay(caller, 'rule-sets:manage');
      return findRuleSetUse(db, await findOwn(caller, id), now());
    },

    async delete(caller, id) {
      assertMay(caller, 'rule-sets:manage');
      await gate.pass(caller, deletion, { id });
    },

    async list(caller) {
      assertMay(caller, 'rule-sets:read');
      return viewsOf(caller, await listRuleSets(db, caller.organizationId));
    },

    async operatorOf(id) {
      const ruleSet = isUuid(id) ? await findAnyRuleSet(db, id) : null;
      if (!ruleSet) throw notFound('RuleSet', id);
      return operatorFor(ruleSet.organizationId);
    },

    async rulesOf(caller, id) {
      assertMay(caller, 'rule-sets:read');
      return toRuleSetInput(await findOwn(caller, id));
    },

    async routingBy(caller, input) {
      assertMay(caller, 'rule-sets:read');
      const { routes, ...routing } = await ownRouting(caller, input);
      return { ...routing, routes: { ...routes, diversions: {}, failingIds: [] } };
    },

    async explain(caller, id, reais, at = testClocks.nowIn(caller)) {
      assertMay(caller, 'rule-sets:read');
      const ruleSet = await findOwn(caller, id);
      const amountInCents = parseAmount(reais);
      const { credentials, routes } = await loadCredentials(caller, [ruleSet]);
      const by = { mode: caller.mode, rules: ruleSet, routes, credentials };
      return { amount: reais, candidates: explainRules(by, { amountInCents, at }) };
    },
  };
}
