import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { type Problem, problem } from '../base/problems/rules.ts';
import type { Queryable } from '../../database/database.ts';
import type { GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { auditedFields } from './rule-set-input.ts';
import { lockDefaultRuleSets } from './store/routing.ts';
import { deleteRuleSet, lockRuleSet, type RuleSet } from './store/rule-sets.ts';
import { findRuleSetUse, type RuleSetUse } from './store/rule-set-use.ts';

interface Deletion {
  id: string;
}

function assertUnused({ defaultIn, paymentLinks }: RuleSetUse): void {
  const remedies: string[] = [];
  const problems: Problem[] = [];
  if (defaultIn.length > 0) {
    remedies.push(`it is the default in ${defaultIn.join(' and ')} mode: make another one the default`);
    problems.push(problem('id', 'default_rule_set', { modes: defaultIn }));
  }
  if (paymentLinks.length > 0) {
    const count = paymentLinks.length;
    const ids = paymentLinks.slice(0, 10).map(({ id }) => id);
    remedies.push(`active payment links name it (${count}): deactivate ${ids.join(', ')}`);
    problems.push(problem('id', 'in_payment_links', { count, ids }));
  }
  if (problems.length === 0) return;
  throw new ServiceError('rule_set_in_use', `The rule set is in use: ${remedies.join('; ')}`, { problems });
}

/** Payments keep the credentials that were tried for them, so nothing about them needs the rule set any more. */
export function createRuleSetDeletion({
  audit,
  now,
}: {
  audit: { record: RecordAudit };
  now: () => Date;
}): GuardedChange<Deletion, void> {
  /** Nobody makes it the default, changes it or links to it until the transaction ends. */
  async function lock(tx: Queryable, { organizationId }: Caller, id: string): Promise<RuleSet> {
    await lockDefaultRuleSets(tx, organizationId);
    const ruleSet = isUuid(id) ? await lockRuleSet(tx, organizationId, id) : null;
    if (!ruleSet) throw notFound('RuleSet', id);
    return ruleSet;
  }

  const change: GuardedChange<Deletion, void> = {
    action: 'rule_set.delete',

    async describe(tx, caller, { id }) {
      const ruleSet = await lock(tx, caller, id);
      return { subject: ruleSet.id, before: auditedFields(ruleSet), after: {} };
    },

    async apply(tx, caller, { id }) {
      const ruleSet = await lock(tx, caller, id);
      assertUnused(await findRuleSetUse(tx, ruleSet, now()));
      await deleteRuleSet(tx, ruleSet.id);
      const details = { name: ruleSet.name, from: auditedFields(ruleSet) };
      await audit.record(tx, caller, change.action, ruleSet.id, details);
    },
  };
  return change;
}
