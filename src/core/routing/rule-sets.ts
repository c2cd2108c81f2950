import { setImmediate } from 'node:timers/promises';
import { badRequest, notFound } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { problem } from '../base/problems/rules.ts';
import { type ExplainedCandidate, explainRules } from './rules/explain-rules.ts';
import { lintRuleSet } from './rules/rule-set-lint.ts';
import { type RuleSetWarning, warningOf } from './rules/rule-set-warning.ts';
import type { Preference, RoutingBy, RoutingRules } from './rules/routing.ts';
import type { Database } from '../../database/database.ts';
import { findAnyRuleSet, findRuleSet, listRuleSets, type RuleSet } from './store/rule-sets.ts';
import { findRuleSetUse, type RuleSetUse } from './store/rule-set-use.ts';
import type { ApprovalGate } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../base/caller.ts';
import type { RoutableCredentials } from './routable-credentials.ts';
import {
  createRuleSetChanges,
  routingOf,
  type RuleSetChange,
  type RuleSetChanges,
} from './rule-set-changes.ts';
import { parseAmount, toRuleSetInput } from './rule-set-input.ts';

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

/** Warnings and explanations are for payments in the caller's mode. */
export interface RuleSetService {
  guarded: RuleSetChanges;
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

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  credentials: RoutableCredentials;
  now: () => Date;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

export function createRuleSetService(dependencies: Dependencies): RuleSetService {
  const { db, gate, credentials: routable, now, testClocks } = dependencies;
  const changes = createRuleSetChanges(dependencies);

  async function viewsOf(caller: Caller, ruleSets: readonly RuleSet[]): Promise<RuleSetView[]> {
    const { credentials, routes, ruleSetIds } = await routable.ofRules(caller, ruleSets);
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

  async function findOwn({ organizationId }: Caller, id: string): Promise<RuleSet> {
    const ruleSet = isUuid(id) ? await findRuleSet(db, organizationId, id) : null;
    if (!ruleSet) throw notFound('RuleSet', id);
    return ruleSet;
  }

  return {
    guarded: changes,

    async create(caller, name, rules) {
      assertMay(caller, 'rule-sets:manage');
      return viewOf(caller, await gate.pass(caller, changes['rule_set.create'], { name, rules }));
    },

    async update(caller, id, { name, rules }) {
      assertMay(caller, 'rule-sets:manage');
      if (name === undefined && rules === undefined)
        throw badRequest('give a name, rules or both', problem('name', 'nothing_to_change'));
      return viewOf(caller, await gate.pass(caller, changes['rule_set.update'], { id, name, rules }));
    },

    async setDefault(caller, id) {
      assertMay(caller, 'rule-sets:manage');
      await gate.pass(caller, changes['rule_set.set_default'], { id, mode: caller.mode });
    },

    async findUse(caller, id) {
      assertMay(caller, 'rule-sets:manage');
      return findRuleSetUse(db, await findOwn(caller, id), now());
    },

    async delete(caller, id) {
      assertMay(caller, 'rule-sets:manage');
      await gate.pass(caller, changes['rule_set.delete'], { id });
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
      const { routes, ...routing } = await routingOf(routable, caller, input);
      return { ...routing, routes: { ...routes, diversions: {}, failingIds: [] } };
    },

    async explain(caller, id, reais, at = testClocks.nowIn(caller)) {
      assertMay(caller, 'rule-sets:read');
      const ruleSet = await findOwn(caller, id);
      const amountInCents = parseAmount(reais);
      const { credentials, routes } = await routable.ofRules(caller, [ruleSet]);
      const by = { mode: caller.mode, rules: ruleSet, routes, credentials };
      return { amount: reais, candidates: explainRules(by, { amountInCents, at }) };
    },
  };
}
