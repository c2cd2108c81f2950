import { ServiceError } from '../base/errors.ts';
import { type Problem, problem } from '../base/problems/rules.ts';
import type { Database } from '../../database/database.ts';
import {
  countOpenRecurrences,
  type CredentialPlaces,
  findCredentialPlaces,
  isCredentialUsed,
} from './store/credential-use.ts';
import { changeCredential } from './store/credentials.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { findOwnCredential, lockCredential } from './credential-changes.ts';

/** What removing a credential would do, and what stands in its way. */
interface CredentialRemoval extends CredentialPlaces {
  /** Whether its provider was ever called for a charge, sent a notification or listed money. Then it can only be archived. */
  isUsed: boolean;
}

export type RemovalOutcome = 'deleted' | 'archived';

export interface CredentialRemover {
  previewRemoval(caller: Caller, id: string): Promise<CredentialRemoval>;
  /**
   * Deletes a credential that was never used and archives any other. An archived one takes no new charges and is offered
   * nowhere, but still confirms, refunds and reconciles its own. Fails with `credential_in_use` while payments are routed to
   * it.
   */
  remove(caller: Caller, id: string): Promise<RemovalOutcome>;
  /** The credential stays disabled. */
  restore(caller: Caller, id: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

const named = (places: readonly { id: string; name: string }[]) => ({
  ids: places.map(({ id }) => id),
  names: places.map(({ name }) => name),
});

function assertInNoPlace({ isDefault, isDefaultFallback, ruleSets, divertedHere }: CredentialPlaces): void {
  const remedies: string[] = [];
  const problems: Problem[] = [];
  if (isDefault) {
    remedies.push('it is the default: make another one the default');
    problems.push(problem('id', 'default_credential'));
  }
  if (isDefaultFallback) {
    remedies.push('it is a fallback of the default: choose others');
    problems.push(problem('id', 'default_fallback'));
  }
  if (ruleSets.length > 0) {
    const { ids, names } = named(ruleSets);
    remedies.push(`rule sets refer to it: choose others in ${names.join(', ')}`);
    problems.push(problem('id', 'in_rule_sets', { ids, names }));
  }
  if (divertedHere.length > 0) {
    const { ids, names } = named(divertedHere);
    remedies.push(`payments are diverted to it: end the diversion of ${names.join(', ')}`);
    problems.push(problem('id', 'diverted_here', { ids, names }));
  }
  if (problems.length === 0) return;
  throw new ServiceError('credential_in_use', `The credential is in use: ${remedies.join('; ')}`, {
    problems,
  });
}

/** Payers have permitted these debits to this account, and to no other. */
function assertDebitsNothing(count: number): void {
  if (count > 0)
    throw new ServiceError(
      'credential_in_use',
      `The credential has ${count} active recurrences: end them first`,
      {
        problems: [problem('id', 'in_recurrences', { count })],
      },
    );
}

export function createCredentialRemover({ db, audit, now }: Dependencies): CredentialRemover {
  return {
    async previewRemoval(caller, givenId) {
      const { id } = await findOwnCredential(db, caller, givenId);
      const places = await findCredentialPlaces(db, caller.organizationId, id);
      return { ...places, isUsed: await isCredentialUsed(db, id) };
    },

    async remove(caller, givenId) {
      return db.$transaction(async (tx) => {
        const { id, name, provider, archivedAt } = await lockCredential(tx, caller, givenId);
        assertInNoPlace(await findCredentialPlaces(tx, caller.organizationId, id));
        assertDebitsNothing(await countOpenRecurrences(tx, id));
        const isUsed = await isCredentialUsed(tx, id);
        if (isUsed && archivedAt) return 'archived';
        const at = now();
        const change = {
          enabled: false,
          archivedAt: archivedAt ?? at,
          deletedAt: isUsed ? null : at,
          divertedToId: null,
          divertedAt: null,
        };
        await changeCredential(tx, id, change);
        const action = isUsed ? 'credential.archive' : 'credential.delete';
        await audit.record(tx, caller, action, id, { name, provider });
        return isUsed ? 'archived' : 'deleted';
      });
    },

    async restore(caller, givenId) {
      await db.$transaction(async (tx) => {
        const { id, name, archivedAt } = await lockCredential(tx, caller, givenId);
        if (!archivedAt) return;
        await changeCredential(tx, id, { archivedAt: null });
        await audit.record(tx, caller, 'credential.restore', id, { name });
      });
    },
  };
}
