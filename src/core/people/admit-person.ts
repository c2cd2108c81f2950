import type { RecordAudit } from '../audit/audit.ts';
import { operatorFor } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { type IdentityProvider, SignInRefusal } from './rules/identity-provider.ts';
import type { ProvidedIdentity } from './rules/provided-identity.ts';
import { joinOrganization } from './join-organization.ts';
import { acceptInvitation, listPendingInvitations, lockInvitations } from './store/invitations.ts';
import { changeRole, findPerson, findPersonByEmail, findRole, lockOwners } from './store/members.ts';
import {
  findProviderAccount,
  insertProvidedPerson,
  insertProviderAccount,
} from './store/provider-accounts.ts';

interface Member {
  id: string;
  email: string;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  record: RecordAudit;
  onPersonChange(userId: string): Promise<void>;
}

/**
 * Makes whoever the provider has signed in a member of the organization, in the role that it says. Somebody who has an account
 * here and is no member has been removed, or never agreed to join: they need an invitation.
 */
export function createAdmission(
  { db, now, record, onPersonChange }: Dependencies,
  { issuer, organizationId }: IdentityProvider,
) {
  const join = (tx: Queryable, person: Member, role: Role, invitation?: string) =>
    joinOrganization(tx, record, {
      organizationId,
      person,
      role,
      at: now(),
      details: { byProvider: true, ...(invitation !== undefined && { invitation }) },
    });

  async function joinByInvitation(tx: Queryable, person: Member, role: Role): Promise<void> {
    const pending = await listPendingInvitations(tx, organizationId, now());
    const invitation = pending.find(({ email }) => email === person.email);
    if (!invitation || !(await acceptInvitation(tx, invitation.id, now())))
      throw new SignInRefusal('not_invited', person.email);
    await join(tx, person, role, invitation.id);
  }

  /** The last owner stays one, because an organization needs an owner. */
  async function follow(tx: Queryable, { id, email }: Member, from: Role, to: Role): Promise<void> {
    const owners = from === 'owner' ? await lockOwners(tx, organizationId) : [];
    if (owners.length === 1 && owners.includes(id)) return;
    await changeRole(tx, organizationId, id, to);
    const details = { email, from, to, byProvider: true };
    await record(tx, operatorFor(organizationId), 'member.set_role', id, details);
  }

  return async ({ subject, email, name, role }: ProvidedIdentity): Promise<void> => {
    const changedId = await db.$transaction(async (tx) => {
      await lockInvitations(tx, organizationId);
      const createdAt = now();
      const accountId = `${issuer} ${subject}`;
      const account = await findProviderAccount(tx, accountId);
      const known = await (account ? findPerson(tx, account.userId) : findPersonByEmail(tx, email));
      const person: Member = known ?? { id: newId(createdAt), email };
      if (!known) await insertProvidedPerson(tx, { ...person, name, createdAt });
      if (!account) {
        const row = { id: newId(createdAt), accountId, userId: person.id, createdAt };
        await insertProviderAccount(tx, row);
      }
      const from = await findRole(tx, organizationId, person.id);
      if (from === role) return undefined;
      if (from) await follow(tx, person, from, role);
      else if (known) await joinByInvitation(tx, person, role);
      else await join(tx, person, role);
      return person.id;
    });
    if (changedId !== undefined) await onPersonChange(changedId);
  };
}
