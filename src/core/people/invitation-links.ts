import { z } from 'zod';
import { ServiceError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Database, Queryable } from '../../database/database.ts';
import {
  acceptInvitation,
  findInvitationByToken,
  type LinkedInvitation,
  lockInvitations,
} from './store/invitations.ts';
import { findPerson, findPersonByEmail, findRole, insertPerson } from './store/members.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { parse, parseName } from '../base/parsing/parse.ts';
import { ownPassword } from './sign-in/own-password.ts';
import type { SignedIn } from './sign-in/sign-in.ts';
import { joinOrganization } from './join-organization.ts';
import { hashOfLinkToken } from './link-token.ts';

/** What a link shows to anyone who opens it. */
interface OpenInvitationView {
  organizationId: string;
  organizationName: string;
  email: string;
  name: string | null;
  role: Role;
  expiresAt: Date;
  /** Whether the invitee signs in to accept, or chooses a password. */
  hasAccount: boolean;
}

/** For anyone who holds the link of an invitation. */
export interface InvitationLinks {
  read(token: unknown): Promise<OpenInvitationView>;
  /** `input`: `{name, password}` for someone new. Someone with an account has to be signed in. */
  accept(token: unknown, input: unknown, signedIn: SignedIn | undefined): Promise<OpenInvitationView>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
}

const newUserSchema = z.object(
  {
    name: z.string({ error: 'is required' }),
    password: ownPassword,
  },
  { error: 'must be a JSON object' },
);

const invalid = (why: string) =>
  new ServiceError('invitation_not_valid', `This invitation ${why}: ask for a new one`);

const viewOf = (invitation: LinkedInvitation): OpenInvitationView => ({
  organizationId: invitation.organizationId,
  organizationName: invitation.organizationName,
  email: invitation.email,
  name: invitation.name,
  role: invitation.role,
  expiresAt: invitation.expiresAt,
  hasAccount: invitation.hasAccount,
});

export function createInvitationLinks({ db, now, audit }: Dependencies): InvitationLinks {
  async function pending(token: unknown): Promise<LinkedInvitation> {
    const tokenSha256 = hashOfLinkToken(token);
    const invitation = tokenSha256 && (await findInvitationByToken(db, tokenSha256));
    if (!invitation) throw invalid('does not exist');
    if (invitation.acceptedAt) throw invalid('was already accepted');
    if (invitation.revokedAt || !invitation.isBacked) throw invalid('was revoked');
    if (invitation.expiresAt <= now()) throw invalid('has expired');
    return invitation;
  }

  /** The signed-in user, if they are the invitee. */
  async function invitedPerson({ email }: LinkedInvitation, signedIn: SignedIn | undefined): Promise<string> {
    if (!signedIn) throw new ServiceError('sign_in_required', `Sign in as ${email} to accept`);
    const person = await findPerson(db, signedIn.userId);
    if (person?.email !== email) {
      throw new ServiceError(
        'invitation_of_somebody_else',
        `This invitation is for ${email}: sign in with that address`,
      );
    }
    if (signedIn.mustChangePassword) {
      throw new ServiceError('password_change_required', 'Change the initial password before accepting');
    }
    return person.id;
  }

  /** Takes one transaction, so that only one of several concurrent attempts succeeds. */
  async function join(
    tx: Queryable,
    { id, organizationId, email, role }: LinkedInvitation,
    userId: string,
    createPerson: (tx: Queryable) => Promise<void>,
  ): Promise<void> {
    await lockInvitations(tx, organizationId);
    if (!(await acceptInvitation(tx, id, now()))) throw invalid('was already accepted or revoked');
    await createPerson(tx);
    if (await findRole(tx, organizationId, userId)) {
      throw new ServiceError('already_member', `${email} is already a member`);
    }
    await joinOrganization(tx, audit.record, {
      organizationId,
      person: { id: userId, email },
      role,
      at: now(),
      details: { invitation: id },
    });
  }

  async function acceptAsNewUser(invitation: LinkedInvitation, input: unknown): Promise<void> {
    const { name, password } = parse(newUserSchema, input);
    const { email } = invitation;
    const createdAt = now();
    const person = { id: newId(createdAt), accountId: newId(createdAt), name: parseName(name), email };
    const { hashPassword } = await import('./sign-in/password-hashes.ts');
    const passwordHash = await hashPassword(password);
    const create = (tx: Queryable) =>
      insertPerson(tx, { ...person, passwordHash, mustChangePassword: false, createdAt });
    try {
      await db.$transaction((tx) => join(tx, invitation, person.id, create));
    } catch (error) {
      // The same address accepted another organization's invitation at the same time.
      if (error instanceof ServiceError || !(await findPersonByEmail(db, email))) throw error;
      throw new ServiceError('sign_in_required', `${email} already has an account: sign in to accept`);
    }
  }

  return {
    read: async (token) => viewOf(await pending(token)),

    async accept(token, input, signedIn) {
      const invitation = await pending(token);
      if (invitation.hasAccount) {
        const userId = await invitedPerson(invitation, signedIn);
        await db.$transaction((tx) => join(tx, invitation, userId, () => Promise.resolve()));
      } else {
        await acceptAsNewUser(invitation, input);
      }
      return viewOf(invitation);
    },
  };
}
