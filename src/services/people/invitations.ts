import { z } from 'zod';
import { notFound, ServiceError } from '../../domain/errors.ts';
import { isUuid, newId } from '../../domain/ids.ts';
import type { Role } from '../../domain/people/roles.ts';
import type { Database, Queryable } from '../../persistence/database.ts';
import {
  acceptInvitation,
  findInvitation,
  findInvitationByToken,
  insertInvitation,
  type InvitationRow,
  type LinkedInvitation,
  listPendingInvitations,
  revokeInvitations,
} from '../../persistence/people/invitations.ts';
import {
  findPerson,
  findPersonByEmail,
  findRole,
  insertMember,
  insertPerson,
} from '../../persistence/people/members.ts';
import { type ApprovalGate, type GuardedChange, newApproverWaits } from '../approvals/approval-gate.ts';
import { actorOf, type RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, type PersonCaller } from '../caller.ts';
import { hashOfLinkToken, makeLinkToken } from './link-token.ts';
import { memberSchema } from './members.ts';
import { ownPassword } from '../sign-in/own-password.ts';
import { parse, parseName } from '../parse.ts';
import type { SignedIn } from '../sign-in/sign-in.ts';

export type InvitationView = InvitationRow;

export interface NewInvitationView {
  invitation: InvitationView;
  /** To be passed on to the invitee: shown once. */
  url: string;
}

/** What the link shows to whoever opens it. */
export interface OpenInvitationView {
  organizationId: string;
  organizationName: string;
  email: string;
  name: string | null;
  role: Role;
  expiresAt: Date;
  /** Whether the invitee signs in to accept or chooses a password. */
  hasAccount: boolean;
}

/**
 * People become members through a link that the inviter passes on, so that nobody else knows their password
 * and nobody is added without their consent.
 */
export interface InvitationService {
  guarded: { 'member.invite': GuardedChange<NewMember, NewInvitationView> };
  /** `input`: `{email, name?, role}`. Replaces an earlier invitation of the same address. */
  invite(caller: Caller, input: unknown): Promise<NewInvitationView>;
  /** Pending ones, newest first. */
  list(caller: Caller): Promise<InvitationView[]>;
  revoke(caller: Caller, id: string): Promise<void>;
  read(token: unknown): Promise<OpenInvitationView>;
  /** `input`: `{name, password}` for someone new; someone with an account has to be signed in. */
  accept(token: unknown, input: unknown, signedIn: SignedIn | undefined): Promise<OpenInvitationView>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  publicUrl: string;
}

type NewMember = z.output<typeof memberSchema>;

const lastsMs = 7 * 24 * 3_600_000;

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

export function createInvitationService({
  db,
  now,
  audit,
  gate,
  publicUrl,
}: Dependencies): InvitationService {
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

  /** In one transaction, so that of concurrent attempts only one succeeds. */
  async function join(
    tx: Queryable,
    { id, organizationId, email, role }: LinkedInvitation,
    userId: string,
    createPerson: (tx: Queryable) => Promise<void>,
  ): Promise<void> {
    if (!(await acceptInvitation(tx, id, now()))) throw invalid('was already accepted or revoked');
    await createPerson(tx);
    if (await findRole(tx, organizationId, userId)) {
      throw new ServiceError('already_member', `${email} is already a member`);
    }
    await insertMember(tx, { organizationId, userId, role, createdAt: now() });
    const person: PersonCaller = {
      kind: 'person',
      userId,
      sessionId: '',
      organizationId,
      mode: 'live',
      mustChangePassword: false,
      role,
    };
    await audit.record(tx, person, 'member.join', userId, { email, role, invitation: id });
  }

  async function acceptAsNewUser(invitation: LinkedInvitation, input: unknown): Promise<void> {
    const { name, password } = parse(newUserSchema, input);
    const { email } = invitation;
    const createdAt = now();
    const person = { id: newId(createdAt), accountId: newId(createdAt), name: parseName(name), email };
    const { hashPassword } = await import('../sign-in/password-hashes.ts');
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

  const invite: GuardedChange<NewMember, NewInvitationView> = {
    action: 'member.invite',
    waits: (tx, caller, { role }) => newApproverWaits(tx, caller, role, null),

    describe: (_tx, _caller, { email, role }) =>
      Promise.resolve({ subject: null, before: null, after: { email, role } }),

    async apply(tx, caller, { email, name, role }) {
      const { organizationId } = caller;
      const createdAt = now();
      const { token, tokenSha256 } = makeLinkToken();
      const { userId: invitedById } = actorOf(caller);
      const invitation = {
        id: newId(createdAt),
        email,
        name: name === undefined || name.trim() === '' ? null : parseName(name),
        role,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + lastsMs),
      };
      const known = await findPersonByEmail(tx, email);
      if (known && (await findRole(tx, organizationId, known.id))) {
        throw new ServiceError('already_member', `${email} is already a member`);
      }
      await revokeInvitations(tx, organizationId, { email }, createdAt);
      await insertInvitation(tx, { ...invitation, organizationId, tokenSha256, invitedById });
      await audit.record(tx, caller, invite.action, invitation.id, { email, role });
      const inviter = invitedById === null ? null : await findPerson(tx, invitedById);
      return {
        invitation: { ...invitation, invitedBy: inviter?.email ?? null },
        url: `${publicUrl}/dashboard/invitation/#${token}`,
      };
    },

    secretOf: ({ url }) => url,
  };

  return {
    guarded: { 'member.invite': invite },

    async invite(caller, input) {
      assertMay(caller, 'members:manage');
      return gate.pass(caller, invite, parse(memberSchema, input));
    },

    async list(caller) {
      assertMay(caller, 'members:manage');
      return listPendingInvitations(db, caller.organizationId, now());
    },

    async revoke(caller, id) {
      assertMay(caller, 'members:manage');
      const { organizationId } = caller;
      await db.$transaction(async (tx) => {
        const invitation = isUuid(id) ? await findInvitation(tx, organizationId, id) : null;
        if (!invitation || (await revokeInvitations(tx, organizationId, { id }, now())) === 0) {
          throw notFound('Invitation', id);
        }
        await audit.record(tx, caller, 'member.revoke_invitation', id, invitation);
      });
    },

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
