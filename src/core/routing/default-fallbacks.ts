import { badRequest } from '../base/errors.ts';
import { problem } from '../base/problems/rules.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import type { Queryable } from '../../database/database.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import type { CredentialService } from '../providers/credentials.ts';
import { shareCredentials } from '../providers/store/credential-use.ts';
import { findCredentialRows } from '../providers/store/credentials.ts';
import { parseFallbackIds } from './rule-set-input.ts';
import { lockDefaultRoutes, setDefaultFallbacks } from './store/routing.ts';

interface Fallbacks {
  ids: readonly string[];
}

export interface DefaultFallbackService {
  guarded: { 'credential.set_default_fallbacks': GuardedChange<Fallbacks, void> };
  /** Replaces the credentials that are tried, in this order, after the default one. */
  set(caller: Caller, ids: readonly string[]): Promise<void>;
}

interface Dependencies {
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  credentials: Pick<CredentialService, 'basisOf'>;
}

export function createDefaultFallbackService({
  audit,
  gate,
  credentials,
}: Dependencies): DefaultFallbackService {
  /** Nobody archives them, or sets others, until the transaction ends. */
  async function lock(tx: Queryable, { organizationId }: Caller, { ids }: Fallbacks) {
    // Credentials come before their organization, as wherever both are locked.
    const usable = await shareCredentials(tx, organizationId, ids);
    const { defaultId, defaultFallbackIds } = await lockDefaultRoutes(tx, organizationId);
    const unknown = ids.find((id) => !usable.has(id));
    if (unknown !== undefined) {
      throw badRequest(
        `credential ${unknown} does not exist in this organization, or is archived`,
        problem('ids', 'unknown_credential', { id: unknown }),
      );
    }
    if (defaultId !== null && ids.includes(defaultId)) {
      throw badRequest(
        'ids must not have the default credential, which is tried before them',
        problem('ids', 'default_credential'),
      );
    }
    return defaultFallbackIds;
  }

  const namesOf = async (tx: Queryable, ids: readonly string[]): Promise<string[]> =>
    (await findCredentialRows(tx, ids)).map((row, index) => row?.name ?? ids[index] ?? '');

  const change: GuardedChange<Fallbacks, void> = {
    action: 'credential.set_default_fallbacks',

    async describe(tx, caller, { ids }) {
      const before = await lock(tx, caller, { ids });
      const accounts = (await findCredentialRows(tx, ids)).filter((row) => row !== null);
      return {
        subject: caller.organizationId,
        before: { fallbackCredentialIds: before },
        after: { fallbackCredentialIds: ids },
        basis: accounts.map(credentials.basisOf).join(' '),
      };
    },

    async apply(tx, caller, { ids }) {
      const { organizationId } = caller;
      const before = await lock(tx, caller, { ids });
      await setDefaultFallbacks(tx, organizationId, ids);
      const details = { from: await namesOf(tx, before), to: await namesOf(tx, ids) };
      await audit.record(tx, caller, change.action, organizationId, details);
    },
  };

  return {
    guarded: { 'credential.set_default_fallbacks': change },

    async set(caller, ids) {
      assertMay(caller, 'credentials:manage');
      await gate.pass(caller, change, { ids: parseFallbackIds(ids) });
    },
  };
}
