import { badRequest, ServiceError } from '../base/errors.ts';
import { problem } from '../base/problems/rules.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import type { Database, Queryable } from '../../database/database.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import { assertNotArchived, lockCredential } from '../providers/credential-changes.ts';
import type { CredentialService } from '../providers/credentials.ts';
import { unusableReason } from './rules/routing.ts';
import { findRoutingDefaults, setDiversion } from './store/routing.ts';

interface Diversion {
  id: string;
  toId: string;
}

/**
 * Wherever a credential is reached, by default or by any rule set, another one takes its turn first until somebody ends that.
 * Default and rule sets stay as they are, so that ending it brings back exactly what was before.
 */
export interface DiversionService {
  guarded: { 'credential.divert': GuardedChange<Diversion, void> };
  divert(caller: Caller, id: string, toId: string): Promise<void>;
  /** Needs no approval: what holds from then on held before. */
  end(caller: Caller, id: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  credentials: Pick<CredentialService, 'basisOf'>;
  now: () => Date;
}

export function createDiversionService(dependencies: Dependencies): DiversionService {
  const { db, audit, gate, credentials, now } = dependencies;

  /** Locks in the order of the ids, so that two opposite diversions wait for each other: neither can close a circle. */
  async function lockBoth(tx: Queryable, caller: Caller, { id, toId }: Diversion) {
    if (id === toId)
      throw badRequest('to must be another credential', problem('to', 'different_from', { other: 'id' }));
    const [first, second] = id < toId ? [id, toId] : [toId, id];
    const rows = [await lockCredential(tx, caller, first), await lockCredential(tx, caller, second)];
    const [from, to] = id < toId ? rows : rows.toReversed();
    if (!from || !to) throw new Error('both are locked');
    assertNotArchived(from);
    const [defaults] = await findRoutingDefaults(tx, [caller.organizationId]);
    const { diversions = {} } = defaults?.routes ?? {};
    // Test payments would not notice, but those that an outage concerns are live ones.
    if (unusableReason('live', to) || diversions[to.id] !== undefined)
      throw new ServiceError(
        'credential_not_usable',
        'to must be an enabled credential that takes live payments and is not diverted itself',
      );
    return { from, to, before: diversions[from.id] ?? null };
  }

  const divert: GuardedChange<Diversion, void> = {
    action: 'credential.divert',

    async describe(tx, caller, diversion) {
      const { from, to, before } = await lockBoth(tx, caller, diversion);
      const { name, provider } = from;
      return {
        subject: from.id,
        before: { name, provider, divertedTo: before },
        after: { name, provider, divertedTo: to.id },
        basis: credentials.basisOf(to),
      };
    },

    async apply(tx, caller, diversion) {
      const { from, to, before } = await lockBoth(tx, caller, diversion);
      if (before === to.id) return;
      await setDiversion(tx, from.id, { toId: to.id, at: now() });
      await audit.record(tx, caller, divert.action, from.id, { name: from.name, to: to.name });
    },
  };

  return {
    guarded: { 'credential.divert': divert },

    async divert(caller, id, toId) {
      assertMay(caller, 'credentials:manage');
      await gate.pass(caller, divert, { id: id.toLowerCase(), toId: toId.toLowerCase() });
    },

    async end(caller, id) {
      await db.$transaction(async (tx) => {
        const row = await lockCredential(tx, caller, id);
        if (row.divertedToId === null) return;
        await setDiversion(tx, row.id, null);
        await audit.record(tx, caller, 'credential.end_diversion', row.id, { name: row.name });
      });
    },
  };
}
