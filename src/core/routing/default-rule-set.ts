import { notFound } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Queryable } from '../../database/database.ts';
import { lockDefaultRuleSets, setDefaultRuleSet } from './store/routing.ts';
import { findRuleSet, type RuleSet } from './store/rule-sets.ts';
import { changesWait, type GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';

export interface DefaultRuleSet {
  /** Null if there is to be none. */
  id: string | null;
  mode: Mode;
}

export function createDefaultRuleSetChange({
  audit,
}: {
  audit: { record: RecordAudit };
}): GuardedChange<DefaultRuleSet, void> {
  async function find(tx: Queryable, { organizationId }: Caller, id: string | null): Promise<RuleSet | null> {
    if (id === null) return null;
    const ruleSet = isUuid(id) ? await findRuleSet(tx, organizationId, id) : null;
    if (!ruleSet) throw notFound('RuleSet', id);
    return ruleSet;
  }

  const shown = (ruleSet: RuleSet | null) => ({ defaultRuleSet: ruleSet?.name ?? null });

  const change: GuardedChange<DefaultRuleSet, void> = {
    action: 'rule_set.set_default',

    /** Test payments move no money. */
    waits: async (tx, caller, { mode }) => mode === 'live' && changesWait(tx, caller),

    async describe(tx, caller, { id, mode }) {
      const { [mode]: before } = await lockDefaultRuleSets(tx, caller.organizationId);
      return {
        subject: id,
        before: { mode, ...shown(await find(tx, caller, before)) },
        after: { mode, ...shown(await find(tx, caller, id)) },
      };
    },

    async apply(tx, caller, { id, mode }) {
      const { organizationId } = caller;
      const { [mode]: before } = await lockDefaultRuleSets(tx, organizationId);
      const ruleSet = await find(tx, caller, id);
      if (before === (ruleSet?.id ?? null)) return;
      await setDefaultRuleSet(tx, organizationId, mode, ruleSet?.id ?? null);
      const details = {
        mode,
        name: (ruleSet ?? (await find(tx, caller, before)))?.name,
        isDefault: !!ruleSet,
      };
      await audit.record(tx, caller, change.action, ruleSet?.id ?? before, details);
    },
  };
  return change;
}
